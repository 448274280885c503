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
 * An export as stored, with its progress.
 *
 * @param schedule set for a scheduled export; its {@code endTime} is the end of the next window and is not shown to clients
 * @param lateRows number of rows stored after the export had read their range; null where they are not counted
 */
record BulkExport(UUID tenantId, UUID id, UUID destinationId, UUID sessionId, @Nullable UUID sourceId, Instant startTime,
        Instant endTime, String format, String formatVersion, String compression, @Nullable List<String> exportFields,
        @Nullable String filter, BulkExportStatus status, Instant createdAt, Instant updatedAt, @Nullable Instant finishedAt,
        @Nullable Scheduling schedule, @Nullable Long lateRows, List<String> warnings, BulkExportProgress progress) {

    BulkExport {
        if (status.isFinal() != (finishedAt != null)) {
            throw new IllegalArgumentException("finishedAt must be set if and only if the status is final");
        }
    }

    /** Throws a 409 problem unless this is a scheduled export that is not cancelled. */
    void requireLiveSchedule() {
        if (schedule == null) {
            throw ProblemException.conflict("Only a scheduled export can be backfilled;"
                    + " create a one-off export of the range instead.");
        }
        if (status != BulkExportStatus.INTERVAL_SCHEDULED) {
            throw ProblemException.conflict("The scheduled export is cancelled; create a one-off export of the range instead.");
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

    /** The additional members of a scheduled export. */
    record Scheduling(int intervalHours, @Nullable Instant pausedAt, @Nullable String pauseReason, int failedWindows,
            @Nullable WindowFailure lastFailure) {
    }
}
