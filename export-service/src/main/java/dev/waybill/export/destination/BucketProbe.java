package dev.waybill.export.destination;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jboss.logging.Logger;

import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.storage.MultipartOutputStream;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.PreparedUpload;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;
import io.smallrye.mutiny.Uni;

/**
 * Performs every operation of an export on one test object: write, read, multipart upload, delete (interface.md 4.2 rules 1 and
 * 4). Write and multipart upload are required; the other operations determine the capabilities.
 */
final class BucketProbe {

    private static final Logger LOG = Logger.getLogger(BucketProbe.class);
    private static final byte[] CONTENT = "Waybill wrote this object to verify write access. It can be deleted.\n"
            .getBytes(StandardCharsets.US_ASCII);

    private final ObjectStore store;
    private final Blocking blocking;
    private final String key;

    BucketProbe(ObjectStore store, Blocking blocking, String key) {
        this.store = store;
        this.blocking = blocking;
        this.key = key;
    }

    Uni<Capabilities> run() {
        return step(ProbeStep.WRITE, store.putNew(key, CONTENT, "text/plain"))
                .chain(() -> step(ProbeStep.READ, canRead()))
                .chain(read -> step(ProbeStep.MULTIPART, upload())
                        .chain(upload -> step(ProbeStep.MULTIPART, withUpload(upload, read))));
    }

    private Uni<Capabilities> withUpload(PreparedUpload upload, boolean read) {
        return isAllowed(store.listUploads(key))
                .chain(list -> canAbort(upload)
                        .chain(abort -> step(ProbeStep.DELETE, isAllowed(store.delete(key)))
                                .map(delete -> new Capabilities(read, delete, abort, list))));
    }

    private Uni<Boolean> canRead() {
        return isAllowed(store.get(key, CONTENT.length)
                .invoke(found -> {
                    if (!Arrays.equals(found, CONTENT)) {
                        throw new StorageException(StorageProblem.NOT_S3,
                                "the test object does not have the content that was written");
                    }
                }));
    }

    private Uni<PreparedUpload> upload() {
        return blocking.call(() -> {
            try (MultipartOutputStream out = store.upload(key)) {
                out.write(CONTENT);
                return out.finishParts();
            }
        }).onFailure(IOException.class).transform(e -> new StorageException(StorageProblem.UNREACHABLE, e.toString()));
    }

    // Without the right to abort, completing the upload onto the test object leaves no incomplete upload behind.
    private Uni<Boolean> canAbort(PreparedUpload upload) {
        return isAllowed(store.abort(upload.key(), upload.uploadId()))
                .call(isAllowed -> isAllowed ? Uni.createFrom().voidItem() : store.complete(upload));
    }

    /** Returns whether the credentials allow an optional operation; an unreachable store fails the probe instead. */
    private static Uni<Boolean> isAllowed(Uni<?> call) {
        return call.replaceWith(true)
                .onFailure(BucketProbe::isPermissionFailure).recoverWithItem(false);
    }

    private static boolean isPermissionFailure(Throwable failure) {
        return failure instanceof StorageException refused && switch (refused.problem()) {
            case ACCESS_DENIED, ENCRYPTION_KEY_UNUSABLE, NOT_SUPPORTED, REJECTED -> true;
            default -> false;
        };
    }

    private static <T> Uni<T> step(ProbeStep step, Uni<T> work) {
        return work
                .onFailure(StorageException.class).invoke(e -> LOG.infof("a destination was rejected: step=%s %s", step, e))
                .onFailure(StorageException.class)
                .transform(e -> new ProbeException((StorageException) e, step));
    }
}
