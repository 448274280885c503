package dev.waybill.controlplane.source;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Access to and limits of repositories. */
@ConfigMapping(prefix = "waybill.source")
public interface SourceConfig {

    /** Whether to allow repositories on this machine ({@code file://}); for local development and tests only. */
    @WithDefault("false")
    boolean allowFile();

    /** Maximum duration of resolving a ref or fetching a commit. */
    @WithDefault("5m")
    Duration timeout();

    /** Connect and read timeout of connections to repository hosts. */
    @WithDefault("20s")
    Duration readTimeout();

    /** Maximum number of bytes received for one commit; its files may be twice as large in total. */
    @WithDefault("512M")
    MemorySize maxTransferSize();

    /** Maximum number of concurrent fetches, half of them for one workspace; further ones wait. */
    @WithDefault("4")
    int maxConcurrentFetches();
}
