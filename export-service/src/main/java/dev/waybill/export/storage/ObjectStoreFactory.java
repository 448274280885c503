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

    /** Opens the bucket for background work, with retries. The caller closes it. */
    public ObjectStore open(BucketAccess access) {
        return open(access, RetryPolicy.from(config));
    }

    /** Opens the bucket for a validation, with short timeouts and without retries. The caller closes it. */
    public ObjectStore openForProbe(BucketAccess access) {
        return open(access, RetryPolicy.PROBE);
    }

    private ObjectStore open(BucketAccess access, RetryPolicy retries) {
        return new S3ObjectStore(clients.open(access, retries), access);
    }
}
