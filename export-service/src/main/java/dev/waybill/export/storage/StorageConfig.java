package dev.waybill.export.storage;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How patiently buckets are spoken to. */
@ConfigMapping(prefix = "waybill.export.storage")
public interface StorageConfig {

    /** How long a connection may take to open. */
    @WithDefault("3s")
    Duration connectTimeout();

    /** How long a store may stay silent when it is to answer; completing a large upload is the slowest answer. */
    @WithDefault("60s")
    Duration readTimeout();

    /** How long one try of a call may take, with a part's bytes on their way. */
    @WithDefault("2m")
    Duration attemptTimeout();

    /** How long a call may take with all its tries. */
    @WithDefault("5m")
    Duration callTimeout();

    /** How often a call is tried; a run that fails nevertheless is tried again as a whole. */
    @WithDefault("3")
    int attempts();

    /** How many connections may be open to one endpoint. */
    @WithDefault("128")
    int connections();
}
