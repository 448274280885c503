package dev.waybill.export.destination;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.UnsafeAddressException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.destination.OpenDestination.Capabilities;
import dev.waybill.export.destination.ProbeFailure.ProbeException;
import dev.waybill.export.destination.ProbeFailure.ProbeStep;
import dev.waybill.export.storage.AddressingStyle;
import dev.waybill.export.storage.BucketAccess;
import dev.waybill.export.storage.MultipartOutputStream;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.ObjectStoreFactory;
import dev.waybill.export.storage.PreparedUpload;
import dev.waybill.export.storage.StorageCredentials;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;

/** Validates a destination: checks its address, then uses the bucket, within the validation timeout. */
@Singleton
class DestinationProbe {

    /**
     * Share of the validation timeout for the second addressing style, so that the failure of the first can still be returned.
     */
    private static final int SECOND_ATTEMPT_SHARE = 3;

    private final AddressGuard guard;
    private final ObjectStoreFactory stores;
    private final Blocking blocking;
    private final Ids ids;
    private final DestinationConfig config;

    DestinationProbe(AddressGuard guard, ObjectStoreFactory stores, Blocking blocking, Ids ids, DestinationConfig config) {
        this.guard = guard;
        this.stores = stores;
        this.blocking = blocking;
        this.ids = ids;
        this.config = config;
    }

    /** Returns the result, or fails with one of the four named problems and the step that failed. */
    Uni<ProbeResult> run(Bucket bucket, @Nullable StorageCredentials credentials) {
        return address(bucket.endpointUrl())
                .chain(endpoint -> endpoint
                        .map(url -> probe(bucket, url, credentials))
                        .orElseGet(() -> probe(bucket.access(null, AddressingStyle.PATH, credentials))))
                .onFailure(ProbeException.class)
                .transform(e -> ((ProbeException) e).failure().withSettingsHint(bucket.settings()).toProblem())
                .ifNoItem().after(config.validationTimeout()).fail()
                .onFailure(TimeoutException.class).transform(e -> ProbeFailure.unreachable(ProbeStep.WRITE).toProblem());
    }

    private Uni<Optional<URI>> address(@Nullable String endpointUrl) {
        if (endpointUrl == null) {
            return Uni.createFrom().item(Optional.empty());
        }
        return blocking.call(() -> Optional.of(checkAddress(endpointUrl)))
                .onFailure(UnsafeAddressException.class)
                .transform(e -> ProbeFailure.unsafeAddress(String.valueOf(e.getMessage())).toProblem());
    }

    private URI checkAddress(String url) {
        URI parsed = guard.parse(url);
        guard.resolve(parsed);
        return parsed;
    }

    // Most stores support path-style requests, so that style is tried first and its failure is the one reported.
    private Uni<ProbeResult> probe(Bucket bucket, URI endpoint, @Nullable StorageCredentials credentials) {
        return requireNoBucketInPath(bucket, endpoint, credentials)
                .chain(() -> probe(bucket.access(endpoint, AddressingStyle.PATH, credentials)))
                .onFailure(e -> e instanceof ProbeException refusal && refusal.mayBeAddressingStyle())
                .recoverWithUni(refusal -> bucket.virtualHost(endpoint)
                        .map(host -> probeVirtualHost(host, bucket.access(endpoint, AddressingStyle.VIRTUAL_HOST, credentials))
                                .onFailure().transform(ignored -> refusal))
                        .orElseGet(() -> Uni.createFrom().failure(refusal)));
    }

    // The bucket's name is random. "No such object" therefore means that the endpoint's path names an existing bucket.
    private Uni<Void> requireNoBucketInPath(Bucket bucket, URI endpoint, @Nullable StorageCredentials credentials) {
        if (Bucket.isRoot(endpoint)) {
            return Uni.createFrom().voidItem();
        }
        if (endpoint.getPath().replaceFirst("/$", "").endsWith("/" + bucket.name())) {
            return Uni.createFrom().failure(ProbeFailure.bucketInPath().toProblem());
        }
        return Uni.createFrom().deferred(() -> {
            ObjectStore store = stores.openForProbe(
                    bucket.named("waybill-" + ids.newId()).access(endpoint, AddressingStyle.PATH, credentials));
            return store.get("waybill", 1)
                    .replaceWithVoid()
                    .onFailure(DestinationProbe::isMissingObject).transform(e -> ProbeFailure.bucketInPath().toProblem())
                    .onFailure(StorageException.class).recoverWithNull()
                    .eventually(store::close);
        });
    }

    private static boolean isMissingObject(Throwable failure) {
        return failure instanceof StorageException known && known.problem() == StorageProblem.NO_SUCH_OBJECT;
    }

    private Uni<ProbeResult> probeVirtualHost(String host, BucketAccess access) {
        return blocking.call(() -> checkAddress(host))
                .chain(() -> probe(access))
                .ifNoItem().after(config.validationTimeout().dividedBy(SECOND_ATTEMPT_SHARE)).fail();
    }

    private Uni<ProbeResult> probe(BucketAccess access) {
        return Uni.createFrom().deferred(() -> {
            ObjectStore store = stores.openForProbe(access);
            return new BucketProbe(store, blocking, "tmp/waybill-" + ids.newId() + ".txt").run()
                    .map(capabilities -> new ProbeResult(capabilities, access.addressing()))
                    .eventually(store::close);
        });
    }

    /**
     * Performs every operation of an export on one test object: write, read, multipart upload, delete (interface.md 4.2 rules 1
     * and 4). Write and multipart upload are required; the other operations determine the capabilities.
     */
    private static final class BucketProbe {

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
}
