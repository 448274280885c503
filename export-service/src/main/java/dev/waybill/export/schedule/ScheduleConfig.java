package dev.waybill.export.schedule;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How scheduled exports go on. */
@ConfigMapping(prefix = "waybill.export.schedule")
interface ScheduleConfig {

    /** How often the replica looks for windows that are due; missed windows are caught up one at a time and no faster. */
    @WithDefault("1s")
    Duration every();

    /** How long after its end a window is exported, for runs that are submitted late. */
    @WithDefault("10m")
    Duration delay();

    /** After how many failures in a row that only the customer can mend a schedule pauses. */
    @WithDefault("5")
    int failures();

    /** How soon, and at most how often, late rows of an export are counted; the older it is, the more seldom. */
    @WithDefault("10m")
    Duration lateEvery();

    /** For how long after its end an export's late rows are counted. */
    @WithDefault("7d")
    Duration lateFor();

    /** What holds for every schedule. */
    default ScheduleRules rules() {
        return new ScheduleRules(delay(), failures());
    }
}
