package dev.waybill.common.edge;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Request rate limits of one replica, for each API key and for each client address without a valid key. */
@ConfigMapping(prefix = "waybill.rate")
public interface RateConfig {

    /** Sustained requests per second for one API key; 0 disables the limit. */
    @WithDefault("1000")
    int perSecond();

    /** Requests that one API key may send in a burst. */
    @WithDefault("2000")
    int burst();

    /** Sustained requests per second for one client address without a valid API key; 0 disables the limit. */
    @WithDefault("50")
    int anonymousPerSecond();

    /** Requests that one client address without a valid API key may send in a burst. */
    @WithDefault("200")
    int anonymousBurst();

}
