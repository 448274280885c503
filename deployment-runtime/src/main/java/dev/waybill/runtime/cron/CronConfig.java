package dev.waybill.runtime.cron;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Crons. */
@ConfigMapping(prefix = "waybill.runtime.crons")
public interface CronConfig {

    /** Runs for dates that are due for more than a minute: {@code once} for all of them, or {@code skip}. */
    @WithDefault("once")
    Missed missed();

    /** Effect of missed dates. */
    enum Missed {
        /** One run for all missed dates. */
        ONCE,
        /** No run. */
        SKIP
    }
}
