package dev.waybill.common.api.trace;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.api.Auditable;

/**
 * A session: a tracing project or an experiment. Statistics are null unless they were requested.
 *
 * @param extra the object from the creation of the session
 */
public record SessionResponse(
        UUID id,
        UUID tenantId,
        @Schema(examples = "checkout-agent") String name,
        @Nullable String description,
        Instant startTime,
        @Nullable Instant endTime,
        @Schema(implementation = Object.class, type = SchemaType.OBJECT) @Nullable ObjectNode extra,
        @Nullable UUID defaultDatasetId,
        @Nullable UUID referenceDatasetId,
        @Schema(examples = "longlived") String traceTier,
        @Nullable Long runCount,
        @Schema(description = "Seconds.") @Nullable Double latencyP50,
        @Schema(description = "Seconds.") @Nullable Double latencyP99,
        @Schema(description = "Seconds.") @Nullable Double firstTokenP50,
        @Schema(description = "Seconds.") @Nullable Double firstTokenP99,
        @Nullable Long totalTokens,
        @Nullable Long promptTokens,
        @Nullable Long completionTokens,
        @Nullable BigDecimal totalCost,
        @Nullable BigDecimal promptCost,
        @Nullable BigDecimal completionCost,
        @Nullable Instant lastRunStartTime,
        @Nullable Instant lastRunStartTimeLive,
        @Nullable Map<String, FeedbackStatistics> feedbackStats,
        @Nullable Map<String, FeedbackStatistics> sessionFeedbackStats,
        @Nullable List<Object> runFacets,
        @Schema(description = "0 to 1.") @Nullable Double errorRate,
        @Schema(description = "0 to 1.") @Nullable Double streamingRate,
        @Nullable Integer testRunNumber) implements Auditable {
}
