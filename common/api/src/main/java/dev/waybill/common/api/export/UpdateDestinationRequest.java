package dev.waybill.common.api.export;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Replaces all credentials of a destination. */
@Schema(name = "UpdateDestinationRequest")
public record UpdateDestinationRequest(
        @NotNull(message = "must be given") //
        @Valid //
        DestinationCredentials credentials) {
}
