package dev.waybill.common.api.experiment;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.api.Auditable;

/**
 * Stored feedback.
 *
 * @param runId null for feedback on a whole session
 * @param traceId null until the run is stored, and for feedback on a whole session
 * @param sessionId null until the run is stored
 */
public record FeedbackResponse(
        UUID id,
        UUID tenantId,
        @Schema(description = "Null for feedback on a whole session.") @Nullable UUID runId,
        @Schema(description = "The trace of the run; null until the run is stored.") @Nullable UUID traceId,
        @Schema(description = "Null until the run is stored.") @Nullable UUID sessionId,
        @Schema(examples = "correctness") String key,
        @Schema(implementation = BigDecimal.class) @Nullable Double score,
        @Schema(implementation = Object.class) @Nullable JsonNode value,
        @Nullable String comment,
        @Schema(implementation = Object.class) @Nullable JsonNode correction,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable JsonNode feedbackSource,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable JsonNode feedbackConfig,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable JsonNode extra,
        Instant createdAt,
        Instant modifiedAt) implements Auditable {
}
