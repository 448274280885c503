package dev.waybill.export.schedule;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The data that a schedule's next action depends on, read in the transaction of the action.
 *
 * @param now time of the database clock
 * @param isUnfinished whether the export of an earlier window is unfinished
 * @param isEntitled whether the plan of the workspace's organization includes bulk export
 * @param hasSession whether the tracing project exists
 * @param recentResults results of the last windows, newest first
 */
record ScheduleContext(Instant now, boolean isUnfinished, boolean isEntitled, boolean hasSession,
        List<WindowResult> recentResults) {

    ScheduleContext {
        recentResults = List.copyOf(recentResults);
    }

    /**
     * The result of a window's export.
     *
     * @param code error code; null when it did not fail
     * @param message error message for the user
     */
    record WindowResult(@Nullable String code, @Nullable String message) {
    }
}
