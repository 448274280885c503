package dev.waybill.controlplane.revision;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How revisions are waited for and what of their logs is kept. */
@ConfigMapping(prefix = "waybill.revision")
public interface RevisionConfig {

    /** How often it is looked, with one query, whether another replica changed what somebody waits for here. */
    @WithDefault("1s")
    Duration every();

    /** How long a caller may ask to wait. */
    @WithDefault("60s")
    Duration longestWait();

    /** How many callers may wait at once; further ones are answered what there is. */
    @WithDefault("1000")
    int mostWaiters();

    /** How many lines of its log a revision keeps. */
    @WithDefault("10000")
    int logLines();
}
