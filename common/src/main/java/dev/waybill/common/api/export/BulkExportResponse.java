package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An export as it is answered (contract.md "Bulk export").
 *
 * @param sourceBulkExportId the scheduled export that made this one
 * @param exportFields null: every exportable field
 */
public record BulkExportResponse(UUID id, UUID tenantId, UUID bulkExportDestinationId, UUID sessionId,
        @Nullable UUID sourceBulkExportId, BulkExportStatus status, Instant startTime, @Nullable Instant endTime,
        @Nullable String filter, @Nullable Integer intervalHours, @Nullable List<String> exportFields, String format,
        String formatVersion, String compression, Instant createdAt, Instant updatedAt, @Nullable Instant finishedAt,
        BulkExportProgress progress) {
}
