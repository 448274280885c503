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
 * Does with one test object what exports will do with theirs (interface.md 4.2 rules 1 and 4): writes it, reads it, uploads it
 * in parts, deletes it. Writing, also in parts, is required; whether the rest is allowed is found out on the way.
 */
final class BucketProbe {

    private static final Logger LOG = Logger.getLogger(BucketProbe.class);
    private static final byte[] CONTENT = "Waybill wrote this to check that it may. It can be deleted.\n"
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
                        throw new StorageException(StorageProblem.NOT_S3, "the test object reads otherwise than written");
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

    // Where uploads may not be aborted, completing it onto the test object leaves nothing dangling.
    private Uni<Boolean> canAbort(PreparedUpload upload) {
        return isAllowed(store.abort(upload.key(), upload.uploadId()))
                .call(isAllowed -> isAllowed ? Uni.createFrom().voidItem() : store.complete(upload));
    }

    /** Whether an optional right is there. A store that cannot be reached says nothing about rights. */
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
                .onFailure(StorageException.class).invoke(e -> LOG.infof("a destination was refused: step=%s %s", step, e))
                .onFailure(StorageException.class)
                .transform(e -> new ProbeException((StorageException) e, step));
    }
}
