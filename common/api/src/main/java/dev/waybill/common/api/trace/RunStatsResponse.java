package dev.waybill.common.api.trace;

import java.math.BigDecimal;
import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonRawValue;

import dev.waybill.common.api.trace.RunResponse.FeedbackByKey;

/**
 * Statistics of the selected runs; null if no run has a value.
 *
 * @param totalTokens if a run and its selected descendants all have tokens, only the deepest count; the same applies to costs
 */
public record RunStatsResponse(
        long runCount,
        @Schema(description = "Seconds.") @Nullable Double latencyP50,
        @Schema(description = "Seconds.") @Nullable Double latencyP99,
        @Schema(description = "Seconds.") @Nullable Double firstTokenP50,
        @Schema(description = "Seconds.") @Nullable Double firstTokenP99,
        @Schema(description = "If a run and its descendants both have tokens, only the deepest count; the same applies to costs.") @Nullable Long totalTokens,
        @Nullable Long promptTokens,
        @Nullable Long completionTokens,
        @Nullable BigDecimal totalCost,
        @Nullable BigDecimal promptCost,
        @Nullable BigDecimal completionCost,
        @Nullable Instant lastRunStartTime,
        @Schema(description = "0 to 1.") @Nullable Double errorRate,
        @Schema(description = "0 to 1.") @Nullable Double streamingRate,
        @JsonRawValue @Schema(implementation = FeedbackByKey.class, description = "Feedback statistics of the runs by key.") @Nullable String feedbackStats) {
}
