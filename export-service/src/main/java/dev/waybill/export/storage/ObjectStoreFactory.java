package dev.waybill.export.storage;

import jakarta.inject.Singleton;

/** Opens buckets. */
@Singleton
public class ObjectStoreFactory {

    private final S3ClientFactory clients;
    private final StorageConfig config;

    ObjectStoreFactory(S3ClientFactory clients, StorageConfig config) {
        this.clients = clients;
        this.config = config;
    }

    /** The bucket, for work that may take its time. Close it. */
    public ObjectStore open(BucketAccess access) {
        return open(access, RetryPolicy.from(config));
    }

    /** The bucket, for a check whose user waits: every call is tried once and shortly. Close it. */
    public ObjectStore openForProbe(BucketAccess access) {
        return open(access, RetryPolicy.PROBE);
    }

    private ObjectStore open(BucketAccess access, RetryPolicy retries) {
        return new S3ObjectStore(clients.open(access, retries), access);
    }
}
