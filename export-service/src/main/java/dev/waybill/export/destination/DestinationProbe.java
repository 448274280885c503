package dev.waybill.export.destination;

import java.net.URI;
import java.util.Optional;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.UnsafeAddressException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.storage.AddressingStyle;
import dev.waybill.export.storage.BucketAccess;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.ObjectStoreFactory;
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
}
