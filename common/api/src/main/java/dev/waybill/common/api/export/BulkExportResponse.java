package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.Auditable;

/**
 * A bulk export.
 *
 * @param sourceBulkExportId the scheduled export that created this export
 * @param exportFields null for all exportable fields
 * @param pausedAt when a scheduled export stopped creating exports because they failed repeatedly
 * @param pauseReason the error with advice
 * @param failedWindows number of windows that failed and were not backfilled; null without a schedule
 * @param warnings sentences from the creation of the export
 * @param lateRows runs of the range that were stored after the export had read it; null for one-off exports
 */
public record BulkExportResponse(UUID id, UUID tenantId, UUID bulkExportDestinationId, UUID sessionId,
        @Nullable UUID sourceBulkExportId, BulkExportStatus status, Instant startTime, @Nullable Instant endTime,
        @Nullable String filter, @Nullable Integer intervalHours, @Nullable List<String> exportFields, String format,
        String formatVersion, String compression, Instant createdAt, Instant updatedAt, @Nullable Instant finishedAt,
        @Nullable @Schema(description = "When a scheduled export stopped creating exports because they failed repeatedly.") Instant pausedAt,
        @Nullable @Schema(description = "The error with advice; present together with paused_at.") String pauseReason,
        @Nullable @Schema(description = "Number of runs in the range that were stored after the export had read it and are therefore missing from its files; for a scheduled export, the sum over the exports it created. Null for one-off exports.") Long lateRows,
        @Nullable @Schema(description = "Number of windows of a scheduled export that failed and were not backfilled since. Null for exports without a schedule of their own.") Integer failedWindows,
        @Nullable @Schema(description = "The newest failure of failed_windows.") WindowFailure lastFailure,
        @Schema(description = "Warnings from the creation of the export, one sentence each.") List<String> warnings,
        BulkExportProgress progress) implements Auditable {
}
