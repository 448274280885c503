package dev.waybill.export.preview;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Configures the limits of previews. */
@ConfigMapping(prefix = "waybill.export.preview")
interface PreviewConfig {

    /** Maximum duration of the queries of one preview; the response contains the results so far. */
    @WithDefault("5s")
    Duration timeout();

    /** Maximum number of concurrent previews of a replica, of which each workspace has at most one. */
    @WithDefault("4")
    int maxConcurrent();

    /** Maximum number of runs to count before their number is estimated. */
    @WithDefault("1000000")
    int maxCountedRows();

    /** Maximum number of runs on which the filter is evaluated before the number of matches is estimated. */
    @WithDefault("10000")
    int maxFilteredRows();
}
