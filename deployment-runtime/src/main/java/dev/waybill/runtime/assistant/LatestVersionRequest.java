package dev.waybill.runtime.assistant;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Body of {@code POST /assistants/{assistant_id}/latest}. */
record LatestVersionRequest(
        @NotNull(message = "is required") @Min(value = 1, message = "must be 1 or more") @Schema(required = true, description = "Number of the version that becomes the current one.") Integer version) {
}
