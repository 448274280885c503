package dev.waybill.common.api.experiment;

import java.math.BigDecimal;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** Changes feedback; what is null or absent stays as it is. */
public record UpdateFeedbackRequest(
        @Schema(implementation = BigDecimal.class, description = "true and false are 1 and 0.") @Nullable JsonNode score,
        @Schema(implementation = Object.class, description = "A string, number, boolean or object.") @Nullable JsonNode value,
        @Nullable String comment,
        @Schema(implementation = Object.class, description = "An object or a string.") @Nullable JsonNode correction) {
}
