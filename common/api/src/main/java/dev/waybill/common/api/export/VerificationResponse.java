package dev.waybill.common.api.export;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.Auditable;

/**
 * A verification of an export: a comparison of the objects in the bucket with what the export has written.
 *
 * @param result set once the status is Completed
 * @param error set once the status is Failed
 * @param receipt set if the export is intact
 */
public record VerificationResponse(UUID id, UUID tenantId, UUID bulkExportId, VerificationStatus status, Instant createdAt,
        Instant updatedAt, @Nullable Instant finishedAt, VerificationProgress progress,
        @Nullable @Schema(description = "Set once the status is Completed.") VerificationResult result,
        @Nullable @Schema(description = "Set once the status is Failed: why the objects could not be read.") RunError error,
        @Nullable @Schema(description = "Set if the export is intact.") Receipt receipt) implements Auditable {
}
