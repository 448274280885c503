package dev.waybill.export.destination;

import java.net.URI;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.UnsafeAddressException;
import dev.waybill.export.storage.BucketAccess;
import dev.waybill.export.storage.ObjectStoreFactory;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Opens destinations for exports. */
@Singleton
public class DestinationOpener {

    /** The error text for {@link #open} failing because the stored credentials cannot be decrypted. */
    public static final String CREDENTIALS_UNAVAILABLE = "The destination's stored credentials cannot be decrypted;"
            + " store new ones with PATCH, or ask the operator.";

    private final Database database;
    private final DestinationRepository repository;
    private final CredentialEncryptor encryptor;
    private final ObjectStoreFactory stores;
    private final AddressGuard guard;

    DestinationOpener(Database database, DestinationRepository repository, CredentialEncryptor encryptor,
            ObjectStoreFactory stores,
            AddressGuard guard) {
        this.database = database;
        this.repository = repository;
        this.encryptor = encryptor;
        this.stores = stores;
        this.guard = guard;
    }

    /**
     * Opens the destination's bucket; the caller closes it. Fails with 404 if the destination does not exist in the workspace,
     * and with {@link dev.waybill.common.secret.SecretUnavailableException} if its credentials cannot be decrypted.
     */
    public Uni<OpenDestination> open(UUID tenantId, UUID destinationId) {
        return database.inWorkspace(tenantId, sql -> repository.require(sql, tenantId, destinationId))
                .map(this::open);
    }

    /**
     * Fails with 404 if the destination does not exist in the workspace; otherwise locks it against deletion until the caller's
     * transaction ends.
     */
    public Uni<Void> requireForUse(SqlConnection connection, UUID tenantId, UUID destinationId) {
        return repository.requireForShare(connection, tenantId, destinationId)
                .replaceWithVoid();
    }

    private OpenDestination open(Destination destination) {
        Bucket bucket = destination.bucket();
        BucketAccess access = bucket.access(endpoint(bucket), destination.credentials().result().addressing(),
                encryptor.decrypt(destination));
        return new OpenDestination(destination.id(), stores.open(access), bucket.name(), bucket.endpointUrl(),
                bucket.region(), bucket.keyPrefix(),
                destination.credentials().result().capabilities());
    }

    // The operator's current address rules apply, not those at the destination's creation.
    private @Nullable URI endpoint(Bucket bucket) {
        try {
            return bucket.endpointUrl() == null ? null : guard.parse(bucket.endpointUrl());
        } catch (UnsafeAddressException e) {
            throw new StorageException(StorageProblem.FORBIDDEN_ADDRESS, String.valueOf(e.getMessage()));
        }
    }
}
