package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One day of an export as it is answered (contract.md "Bulk export").
 *
 * @param retryNumber how often it was tried again
 * @param errors by the number of the attempt, counting from 1
 */
public record BulkExportRunResponse(UUID id, UUID bulkExportId, BulkExportRunStatus status, int retryNumber,
        Instant startTime, Instant endTime,
        @Schema(description = "What went wrong, by the number of the attempt, counting from 1.") Map<String, RunError> errors,
        Instant createdAt, Instant updatedAt, @Nullable Instant finishedAt, RunMetadata metadata) {
}
