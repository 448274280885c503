package dev.waybill.export.schedule;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of scheduled exports. */
@ConfigMapping(prefix = "waybill.export.schedule")
interface ScheduleConfig {

    /** Delay between the end of a window and its export, for runs that are submitted late. */
    @WithDefault("10m")
    Duration delay();

    /** Minimum interval at which the late rows of an export are counted; it grows with the age of the export. */
    @WithDefault("10m")
    Duration lateRowsInterval();

    /** Returns the rules of all schedules. */
    default ScheduleRules rules() {
        return new ScheduleRules(delay());
    }
}
