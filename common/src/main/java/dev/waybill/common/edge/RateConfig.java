package dev.waybill.common.edge;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How many requests one key, and one address without a valid key, may send to one replica. */
@ConfigMapping(prefix = "waybill.rate")
public interface RateConfig {

    /** Sustained requests per second of one API key; 0 disables the limit. */
    @WithDefault("1000")
    int perSecond();

    /** Requests of one API key that are accepted at once after a pause. */
    @WithDefault("2000")
    int burst();

    /** Sustained requests per second of one client address without a valid API key; 0 disables the limit. */
    @WithDefault("50")
    int anonymousPerSecond();

    /** Requests of one client address without a valid API key that are accepted at once after a pause. */
    @WithDefault("200")
    int anonymousBurst();

    /** Maximum number of keys, and of addresses, whose rates are stored; a forgotten one starts with a full burst. */
    @WithDefault("10000")
    int keys();
}
