package dev.waybill.common.api.export;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Body of {@code PATCH /api/v1/bulk-exports/{id}}, which can only cancel the export.
 *
 * @param status {@code Cancelled}
 */
public record UpdateBulkExportRequest(
        @NotNull(message = "is required and can only be Cancelled") @Pattern(regexp = "Cancelled", message = "can only be set to Cancelled") @Schema(enumeration = "Cancelled") String status) {
}
