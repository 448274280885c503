package dev.waybill.export.job;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.BulkExportProgress;
import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.common.api.export.BulkExportStatus;

/** An export as it is stored, with how far it is. */
record BulkExport(UUID tenantId, UUID id, UUID destinationId, UUID sessionId, @Nullable UUID sourceId, Instant startTime,
        Instant endTime, String format, String formatVersion, String compression, @Nullable List<String> exportFields,
        @Nullable String filter, BulkExportStatus status, Instant createdAt, Instant updatedAt, @Nullable Instant finishedAt,
        BulkExportProgress progress) {

    BulkExport {
        if (status.isFinal() != (finishedAt != null)) {
            throw new IllegalArgumentException("an export has a time of its end when, and only when, it has ended");
        }
    }

    BulkExportResponse toResponse() {
        return new BulkExportResponse(id, tenantId, destinationId, sessionId, sourceId, status, startTime, endTime, filter,
                null,
                exportFields, format, formatVersion, compression, createdAt, updatedAt, finishedAt, progress);
    }
}
