package dev.waybill.export.lake;

import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.storage.AddressingStyle;
import dev.waybill.export.storage.BucketAccess;
import dev.waybill.export.storage.ObjectStore;
import dev.waybill.export.storage.ObjectStoreFactory;
import dev.waybill.export.storage.StorageCredentials;
import io.quarkus.runtime.StartupEvent;

/** The bucket of the lake, if one is configured, and the keys of its files. */
@Singleton
class LakeBucket {

    private final String prefix;
    private final @Nullable String name;
    private final @Nullable ObjectStore store;

    LakeBucket(LakeConfig config, ObjectStoreFactory stores) {
        this.prefix = config.prefix();
        this.name = config.bucket().orElse(null);
        this.store = config.bucket().map(bucket -> stores.open(access(bucket, config))).orElse(null);
    }

    /** Creates the bean at startup, which fails if the settings are incomplete. */
    void validate(@Observes StartupEvent ignored) {
        // The constructor validates.
    }

    private static BucketAccess access(String bucket, LakeConfig config) {
        if (config.accessKeyId().isPresent() != config.secretAccessKey().isPresent()) {
            throw new IllegalStateException("waybill.lake.access-key-id and waybill.lake.secret-access-key require each other");
        }
        if (config.endpointUrl().isPresent() && config.accessKeyId().isEmpty()) {
            throw new IllegalStateException("waybill.lake.endpoint-url requires waybill.lake.access-key-id");
        }
        StorageCredentials credentials = config.accessKeyId()
                .map(id -> new StorageCredentials(id, config.secretAccessKey().orElseThrow(), null))
                .orElse(null);
        return new BucketAccess(bucket, config.region(), config.endpointUrl().orElse(null), AddressingStyle.PATH, credentials);
    }

    /** Returns whether a bucket is configured. */
    boolean isConfigured() {
        return store != null;
    }

    /** Returns the open bucket; fails if none is configured. */
    ObjectStore store() {
        return Optional.ofNullable(store).orElseThrow(() -> new IllegalStateException("waybill.lake.bucket is not set"));
    }

    /** Returns the prefix of the keys of an attempt, which no other attempt uses. */
    String attemptPrefix(UUID tenantId, LocalDate day, UUID attempt) {
        return tableKey(tenantId) + "/day=" + day + "/" + attempt + "-";
    }

    /** Returns the prefix of all keys of a workspace, without a slash at its end. */
    String tableKey(UUID tenantId) {
        return prefix + "runs/tenant_id=" + tenantId;
    }

    /** Returns the name of the bucket; fails if none is configured. */
    String name() {
        return Optional.ofNullable(name).orElseThrow(() -> new IllegalStateException("waybill.lake.bucket is not set"));
    }

    /** Returns the key of a file of an attempt. */
    static String key(String attemptPrefix, int index) {
        return attemptPrefix + index + ".parquet";
    }

    @PreDestroy
    void close() {
        if (store != null) {
            store.close();
        }
    }
}
