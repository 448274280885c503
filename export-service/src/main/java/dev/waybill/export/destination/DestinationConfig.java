package dev.waybill.export.destination;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How destinations are validated. */
@ConfigMapping(prefix = "waybill.export")
public interface DestinationConfig {

    /**
     * Whether destinations without credentials may use the service's own, which every workspace's admin can then write with.
     * Only for installations of one owner.
     */
    @WithDefault("false")
    boolean environmentCredentials();

    /** How long the validation of a destination may take; its user waits for it. */
    @WithDefault("9s")
    Duration validationTimeout();

    /**
     * How often a workspace may have destinations validated, by all replicas together; each time speaks to an address it names.
     */
    @WithDefault("30")
    int maxValidationsPerMinute();
}
