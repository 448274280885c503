package dev.waybill.export.storage;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Configures the timeouts of calls to buckets. */
@ConfigMapping(prefix = "waybill.export.storage")
public interface StorageConfig {

    /** Maximum time to open a connection. */
    @WithDefault("3s")
    Duration connectTimeout();

    /**
     * Maximum time without data from the store while a response is expected; completing a large upload takes longest.
     * One attempt of a call may take twice, a call with all its attempts five times as long.
     */
    @WithDefault("60s")
    Duration readTimeout();
}
