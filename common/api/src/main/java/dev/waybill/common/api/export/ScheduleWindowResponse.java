package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A window of a scheduled export.
 *
 * @param number counting from 1
 * @param endTime exclusive
 * @param bulkExportId export of the window; null while it is Pending
 * @param error set if the export failed or an unfinished run of it is retried
 * @param backfilledBy completed backfill that covers the window
 */
@Schema(name = "ScheduleWindow")
public record ScheduleWindowResponse(
        @Schema(description = "Counting from 1.") long number,
        Instant startTime,
        @Schema(description = "Exclusive.") Instant endTime,
        @Schema(description = "Status of the window's export; Pending without one, because the window has not ended, an earlier one is being exported, or the schedule is paused.") WindowStatus status,
        @Nullable @Schema(description = "Export of the window; null while it is Pending.") UUID bulkExportId,
        @Nullable Instant createdAt,
        @Nullable Instant finishedAt,
        BulkExportProgress progress,
        @Schema(description = "Runs of the window that were stored after its export had read it.") long lateRows,
        @Nullable @Schema(description = "The newest error; set if the export failed, or is running and retries a run.") WindowError error,
        @Nullable @Schema(description = "The newest completed backfill that covers the window.") UUID backfilledBy) {
}
