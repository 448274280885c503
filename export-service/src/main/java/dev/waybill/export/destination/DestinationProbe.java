package dev.waybill.export.destination;

import java.net.URI;
import java.util.Optional;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.UnsafeAddressException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.export.storage.BucketAccess;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.ObjectStores;
import dev.waybill.export.storage.StorageCredentials;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;

/** Validates a destination: its address first, then by really using the bucket, all within the time that a user waits. */
@Singleton
class DestinationProbe {

    private final AddressGuard guard;
    private final ObjectStores stores;
    private final Blocking blocking;
    private final Ids ids;
    private final DestinationConfig config;

    DestinationProbe(AddressGuard guard, ObjectStores stores, Blocking blocking, Ids ids, DestinationConfig config) {
        this.guard = guard;
        this.stores = stores;
        this.blocking = blocking;
        this.ids = ids;
        this.config = config;
    }

    /** What the credentials allow, or a problem with one of the four names and the step that failed. */
    Uni<Capabilities> run(Bucket bucket, @Nullable StorageCredentials credentials) {
        return address(bucket.endpointUrl())
                .chain(endpoint -> tryOut(bucket.access(endpoint.orElse(null), credentials)))
                .ifNoItem().after(config.validationTimeout()).fail()
                .onFailure(TimeoutException.class).transform(e -> ProbeVerdict.unreachable(ProbeStep.WRITE).toProblem());
    }

    private Uni<Optional<URI>> address(@Nullable String endpointUrl) {
        if (endpointUrl == null) {
            return Uni.createFrom().item(Optional.empty());
        }
        return blocking.call(() -> {
            URI endpoint = guard.parse(endpointUrl);
            guard.resolve(endpoint);
            return Optional.of(endpoint);
        })
                .onFailure(UnsafeAddressException.class)
                .transform(e -> ProbeVerdict.unsafe(String.valueOf(e.getMessage())).toProblem());
    }

    private Uni<Capabilities> tryOut(BucketAccess access) {
        return Uni.createFrom().deferred(() -> {
            ObjectStore store = stores.openForProbe(access);
            return new BucketTrial(store, blocking, "tmp/waybill-" + ids.newId() + ".txt").run()
                    .eventually(store::close);
        });
    }
}
