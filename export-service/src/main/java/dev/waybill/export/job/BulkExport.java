package dev.waybill.export.job;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BulkExportProgress;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportStatus;
import dev.waybill.common.api.export.WindowFailure;
import dev.waybill.common.problem.ProblemException;

/**
 * An export as it is stored, with how far it is.
 *
 * @param schedule of a scheduled export; its {@code endTime} is that of the window that comes next, and nobody's business
 * @param lateRows stored after the export had read their range; null where they are not counted
 */
record BulkExport(UUID tenantId, UUID id, UUID destinationId, UUID sessionId, @Nullable UUID sourceId, Instant startTime,
        Instant endTime, String format, String formatVersion, String compression, @Nullable List<String> exportFields,
        @Nullable String filter, BulkExportStatus status, Instant createdAt, Instant updatedAt, @Nullable Instant finishedAt,
        @Nullable Scheduling schedule, @Nullable Long lateRows, List<String> warnings, BulkExportProgress progress) {

    BulkExport {
        if (status.isFinal() != (finishedAt != null)) {
            throw new IllegalArgumentException("an export has a time of its end when, and only when, it has ended");
        }
    }

    /** 409 when it is not a scheduled export, or not alive any more. */
    void requireLiveSchedule() {
        if (schedule == null) {
            throw ProblemException.conflict("Only a scheduled export can be backfilled;"
                    + " order a one-off export of the range instead.");
        }
        if (status != BulkExportStatus.INTERVAL_SCHEDULED) {
            throw ProblemException.conflict("The scheduled export is cancelled; order a one-off export of the range instead.");
        }
    }

    BulkExportResponse toResponse() {
        return new BulkExportResponse(id, tenantId, destinationId, sessionId, sourceId, status, startTime,
                schedule == null ? endTime : null, filter, schedule == null ? null : schedule.intervalHours(), exportFields,
                format, formatVersion, compression, createdAt, updatedAt, finishedAt,
                schedule == null ? null : schedule.pausedAt(), schedule == null ? null : schedule.pauseReason(), lateRows,
                schedule == null ? null : schedule.failedWindows(), schedule == null ? null : schedule.lastFailure(), warnings,
                progress);
    }

    /** What a scheduled export has beside what every export has. */
    record Scheduling(int intervalHours, @Nullable Instant pausedAt, @Nullable String pauseReason, int failedWindows,
            @Nullable WindowFailure lastFailure) {
    }
}
