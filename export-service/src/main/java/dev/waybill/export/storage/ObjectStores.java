package dev.waybill.export.storage;

import jakarta.inject.Singleton;

/** Opens buckets. */
@Singleton
public class ObjectStores {

    private final S3Clients clients;
    private final StorageConfig config;

    ObjectStores(S3Clients clients, StorageConfig config) {
        this.clients = clients;
        this.config = config;
    }

    /** The bucket, for work that may take its time. Close it. */
    public ObjectStore open(BucketAccess access) {
        return open(access, CallLimits.from(config));
    }

    /** The bucket, for a check whose user waits: every call is tried once and shortly. Close it. */
    public ObjectStore openForProbe(BucketAccess access) {
        return open(access, CallLimits.PROBE);
    }

    private ObjectStore open(BucketAccess access, CallLimits limits) {
        return new S3ObjectStore(clients.open(access, limits), access);
    }
}
