package dev.waybill.export.storage;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import io.quarkus.arc.All;

/** Opens stores of every registered type. */
@Singleton
public class ObjectStoreFactory {

    private final Map<String, StoreFactory> factories;

    ObjectStoreFactory(@All List<StoreFactory> factories) {
        this.factories = factories.stream().collect(Collectors.toUnmodifiableMap(StoreFactory::type, Function.identity()));
    }

    /** Opens the bucket for background work, with retries. The caller closes it. */
    public ObjectStore open(BucketAccess access) {
        return factory(access).open(access);
    }

    /** Opens the bucket for a validation, with short timeouts and without retries. The caller closes it. */
    public ObjectStore openForProbe(BucketAccess access) {
        return factory(access).openForProbe(access);
    }

    private StoreFactory factory(BucketAccess access) {
        StoreFactory factory = factories.get(access.type());
        if (factory == null) {
            throw new StorageException(StorageProblem.NOT_SUPPORTED, "unknown type of destination: " + access.type());
        }
        return factory;
    }
}
