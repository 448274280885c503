package dev.waybill.common.edge;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Request rate limits of one replica, for each API key and for each client address without a valid key. */
@ConfigMapping(prefix = "waybill.rate")
public interface RateConfig {

    /** Sustained requests per second for one API key, which may send twice as many in a burst; 0 disables the limit. */
    @WithDefault("1000")
    int perSecond();

    /**
     * Sustained requests per second for one client address without a valid API key, which may send four times as many in a
     * burst; 0 disables the limit.
     */
    @WithDefault("50")
    int anonymousPerSecond();
}
