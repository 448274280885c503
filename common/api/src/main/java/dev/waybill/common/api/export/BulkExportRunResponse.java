package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A run of an export, which covers one day.
 *
 * @param retryNumber number of retries
 * @param errors by the number of the attempt, counted from 1
 */
public record BulkExportRunResponse(UUID id, UUID bulkExportId, BulkExportRunStatus status, int retryNumber,
        Instant startTime, Instant endTime,
        @Schema(description = "Errors by the number of the attempt, counted from 1.") Map<String, RunError> errors,
        Instant createdAt, Instant updatedAt, @Nullable Instant finishedAt, RunMetadata metadata) {
}
