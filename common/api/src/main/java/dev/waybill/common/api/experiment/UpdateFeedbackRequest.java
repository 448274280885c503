package dev.waybill.common.api.experiment;

import java.math.BigDecimal;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** Changes feedback; null removes a member, absent members are unchanged. */
public record UpdateFeedbackRequest(
        @Schema(implementation = BigDecimal.class, description = "true and false are 1 and 0.") @Nullable JsonNode score,
        @Schema(implementation = Object.class, description = "A string, number, boolean or object.") @Nullable JsonNode value,
        @Schema(implementation = String.class) @Nullable JsonNode comment,
        @Schema(implementation = Object.class, description = "An object or a string.") @Nullable JsonNode correction) {
}
