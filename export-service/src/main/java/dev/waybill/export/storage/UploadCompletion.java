package dev.waybill.export.storage;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jboss.logging.Logger;

import io.smallrye.mutiny.Uni;

/**
 * Makes a prepared upload visible, whatever became of earlier tries: an upload that is gone was completed before if its object
 * is there, by size and entity tag. Then the size is verified where the credentials may read.
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

    // Gone because it was completed before, or completed now and only the answer was lost.
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
        // Without a tag in the answer to the completion, the size alone can be compared.
        boolean same = found.isPresent() && found.get().size() == upload.size()
                && (etag.isEmpty() || found.get().etag().equals(etag));
        return same
                ? Uni.createFrom().item(new CompletedUpload(upload.key(), found.get().etag(), true))
                : removeWrongObject(found);
    }

    // What is there must not be taken for the export. Where it may not be removed, the failed run says so.
    private Uni<CompletedUpload> removeWrongObject(Optional<StoredObject> found) {
        StorageException mismatch = new StorageException(StorageProblem.CONTENT_MISMATCH,
                "expected " + upload.size() + " bytes, found " + found.map(StoredObject::size).orElse(-1L));
        return store.delete(upload.key())
                .onFailure().invoke(e -> LOG.warnf("a wrong object could not be removed: key=%s %s", upload.key(), e))
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
        // Encrypted buckets have entity tags that cannot be foretold; the number of parts behind the dash they all have.
        String expected = multipartTag();
        int dash = object.etag().indexOf('-');
        return object.etag().equals(expected)
                || (expected.isEmpty() && dash > 0 && object.etag().endsWith("-" + upload.parts().size()));
    }

    /** The entity tag that S3 gives an object made of these parts: MD5 over their MD5s; empty when they have others. */
    private String multipartTag() {
        MessageDigest md5 = ContentChecksum.md5();
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
