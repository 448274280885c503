package dev.waybill.export.storage;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jboss.logging.Logger;

import dev.waybill.common.id.Digests;
import io.smallrye.mutiny.Uni;

/**
 * Completes a prepared upload, whatever the outcome of earlier attempts: a missing upload was completed before if an object
 * with its size and entity tag exists. Then verifies the size if the credentials allow reading.
 */
final class UploadCompletion {

    private static final Logger LOG = Logger.getLogger(UploadCompletion.class);
    private static final Pattern MD5 = Pattern.compile("[0-9a-f]{32}");

    private final ObjectStore store;
    private final Uni<String> completion;
    private final PreparedUpload upload;

    UploadCompletion(ObjectStore store, Uni<String> completion, PreparedUpload upload) {
        this.store = store;
        this.completion = completion;
        this.upload = upload;
    }

    Uni<CompletedUpload> run() {
        return completion
                .chain(this::verify)
                .onFailure(UploadCompletion::mayHaveCompleted).recoverWithUni(this::findCompleted);
    }

    // The upload may have been completed before, or now with a lost response.
    private static boolean mayHaveCompleted(Throwable failure) {
        return failure instanceof StorageException known && !known.isPermanent();
    }

    private Uni<CompletedUpload> verify(String etag) {
        return store.head(upload.key())
                .chain(found -> verified(found, etag))
                .onFailure(e -> S3ObjectStore.is(e, StorageProblem.ACCESS_DENIED))
                .recoverWithItem(new CompletedUpload(upload.key(), etag, false));
    }

    private Uni<CompletedUpload> verified(Optional<StoredObject> found, String etag) {
        // Without an entity tag in the response, only the size can be compared.
        boolean same = found.isPresent() && found.get().size() == upload.size()
                && (etag.isEmpty() || found.get().etag().equals(etag));
        return same
                ? Uni.createFrom().item(new CompletedUpload(upload.key(), found.get().etag(), true))
                : removeWrongObject(found);
    }

    // An object with other content must not be mistaken for the export.
    private Uni<CompletedUpload> removeWrongObject(Optional<StoredObject> found) {
        StorageException mismatch = new StorageException(StorageProblem.CONTENT_MISMATCH,
                "expected " + upload.size() + " bytes, found " + found.map(StoredObject::size).orElse(-1L));
        return store.delete(upload.key())
                .onFailure()
                .invoke(e -> LOG.warnf("an object with the wrong size could not be removed: key=%s %s", upload.key(), e))
                .onFailure().recoverWithNull()
                .chain(() -> Uni.createFrom().failure(mismatch));
    }

    private Uni<CompletedUpload> findCompleted(Throwable failure) {
        return store.head(upload.key())
                .onFailure(e -> S3ObjectStore.is(e, StorageProblem.ACCESS_DENIED)).recoverWithItem(Optional.empty())
                .map(found -> found.filter(this::matchesUpload)
                        .map(object -> new CompletedUpload(upload.key(), object.etag(), true))
                        .orElseThrow(() -> (StorageException) failure));
    }

    private boolean matchesUpload(StoredObject object) {
        if (object.size() != upload.size()) {
            return false;
        }
        // Encrypted buckets have unpredictable entity tags, but all contain the number of parts after the dash.
        String expected = multipartTag();
        int dash = object.etag().indexOf('-');
        return object.etag().equals(expected)
                || (expected.isEmpty() && dash > 0 && object.etag().endsWith("-" + upload.parts().size()));
    }

    /** Returns the entity tag that S3 computes for these parts, the MD5 of their MD5s; empty if a part's tag is not an MD5. */
    private String multipartTag() {
        MessageDigest md5 = Digests.newMd5();
        for (UploadedPart part : upload.parts()) {
            String tag = S3ObjectStore.normalizeEtag(part.etag());
            if (!MD5.matcher(tag).matches()) {
                return "";
            }
            md5.update(HexFormat.of().parseHex(tag));
        }
        return HexFormat.of().formatHex(md5.digest()) + "-" + upload.parts().size();
    }
}
