package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.audit.Auditable;

/**
 * An export as it is answered (contract.md "Bulk export").
 *
 * @param sourceBulkExportId the scheduled export that made this one
 * @param exportFields null: every exportable field
 * @param pausedAt since when a scheduled export makes no further ones, because those it made kept failing
 * @param pauseReason what is wrong, and what to do
 * @param failedWindows windows that failed and were not backfilled; null where there is no schedule
 * @param warnings sentences, of when it was ordered
 * @param lateRows runs of the range that were stored after the export had read it; null for one-off exports
 */
public record BulkExportResponse(UUID id, UUID tenantId, UUID bulkExportDestinationId, UUID sessionId,
        @Nullable UUID sourceBulkExportId, BulkExportStatus status, Instant startTime, @Nullable Instant endTime,
        @Nullable String filter, @Nullable Integer intervalHours, @Nullable List<String> exportFields, String format,
        String formatVersion, String compression, Instant createdAt, Instant updatedAt, @Nullable Instant finishedAt,
        @Nullable @Schema(description = "Since when a scheduled export makes no further ones, because those it made kept failing.") Instant pausedAt,
        @Nullable @Schema(description = "What is wrong and what to do; with paused_at.") String pauseReason,
        @Nullable @Schema(description = "Runs of its range that were stored after a scheduled export had read it, and so are not in its files; of a scheduled export the sum over those it made. Null for one-off exports.") Long lateRows,
        @Nullable @Schema(description = "How many windows of a scheduled export failed and were not exported by a backfill since. Null for exports without a schedule of their own.") Integer failedWindows,
        @Nullable @Schema(description = "The newest of failed_windows.") WindowFailure lastFailure,
        @Schema(description = "What the caller was warned of when the export was ordered, in sentences; empty for none.") List<String> warnings,
        BulkExportProgress progress) implements Auditable {
}
