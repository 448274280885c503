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

    /** Maximum time without data from the store while a response is expected; completing a large upload takes longest. */
    @WithDefault("60s")
    Duration readTimeout();

    /** Maximum duration of one attempt of a call, including the transfer of a part. */
    @WithDefault("2m")
    Duration attemptTimeout();

    /** Maximum duration of a call with all its attempts. */
    @WithDefault("5m")
    Duration callTimeout();
}
