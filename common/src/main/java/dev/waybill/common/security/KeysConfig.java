package dev.waybill.common.security;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Configuration of API key authentication. */
@ConfigMapping(prefix = "waybill.keys")
public interface KeysConfig {

    /** How long a looked-up key is cached, and therefore how long a revoked key may remain valid. At most 30 s. */
    @WithDefault("15s")
    Duration cacheTtl();

}
