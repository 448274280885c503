package dev.waybill.export.storage;

/** Opens the stores of one type of destination; every bean of this type is registered with {@link ObjectStoreFactory}. */
public interface StoreFactory {

    /** Returns the type's name, the {@code destination_type} of destinations. */
    String type();

    /** Opens a store for background work, with retries. The caller closes it. */
    ObjectStore open(BucketAccess access);

    /** Opens a store for a validation, with short timeouts and without retries. The caller closes it. */
    ObjectStore openForProbe(BucketAccess access);
}
