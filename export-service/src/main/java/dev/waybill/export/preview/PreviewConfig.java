package dev.waybill.export.preview;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How far a preview looks. */
@ConfigMapping(prefix = "waybill.export.preview")
interface PreviewConfig {

    /** How long PostgreSQL may look for the answer of one preview; what was found by then is answered. */
    @WithDefault("5s")
    Duration timeout();

    /** How many previews this replica works on at once, of which a workspace has one. */
    @WithDefault("4")
    int maxConcurrent();

    /** How many runs are counted before their number is estimated. */
    @WithDefault("1000000")
    int maxCountedRows();

    /** How many runs a filter is asked of before the number that it holds of is estimated. */
    @WithDefault("10000")
    int maxFilteredRows();
}
