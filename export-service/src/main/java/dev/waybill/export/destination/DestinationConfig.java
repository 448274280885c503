package dev.waybill.export.destination;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Configures the validation of destinations. */
@ConfigMapping(prefix = "waybill.export")
public interface DestinationConfig {

    /**
     * Allows destinations without credentials to use the service's own AWS credentials. Every workspace's admin can then write
     * to all buckets of these credentials; enable it only in installations of one owner.
     */
    @WithDefault("false")
    boolean environmentCredentials();

    /** Maximum duration of a destination's validation, during which the client waits. */
    @WithDefault("9s")
    Duration validationTimeout();

    /**
     * Maximum number of validations per minute and workspace, over all replicas; each connects to an address from the request.
     */
    @WithDefault("30")
    int maxValidationsPerMinute();
}
