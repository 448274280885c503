package dev.waybill.common.security;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How API keys are checked. */
@ConfigMapping(prefix = "waybill.keys")
public interface KeysConfig {

    /** How long a looked-up key is remembered, and so how long a revoked one may still work. At most 30 s. */
    @WithDefault("15s")
    Duration cache();

    /** How many looked-up keys are remembered at most. */
    @WithDefault("10000")
    int cached();
}
