package dev.waybill.common.api.export;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** New credentials for a destination; they replace the old ones whole (contract.md "Bulk export"). */
@Schema(name = "UpdateDestinationRequest")
public record UpdateDestinationRequest(
        @NotNull(message = "must be given") //
        @Valid //
        DestinationCredentials credentials) {
}
