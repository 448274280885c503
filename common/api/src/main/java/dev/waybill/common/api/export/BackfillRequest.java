package dev.waybill.common.api.export;

import java.time.Instant;

import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Body of {@code POST /api/v1/bulk-exports/{id}/backfill}: a range that a scheduled export exports again or in addition to its
 * windows.
 */
public record BackfillRequest(
        @NotNull(message = "is required") @Schema(description = "Inclusive.", examples = "2026-11-01T00:00:00Z") Instant startTime,
        @NotNull(message = "is required") @Schema(description = "Exclusive, not in the future. The range need not match a window of the schedule.", examples = "2026-11-02T00:00:00Z") Instant endTime) {
}
