package dev.waybill.common.api.trace;

import java.math.BigDecimal;
import java.time.Instant;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonRawValue;

import dev.waybill.common.api.trace.RunResponse.FeedbackByKey;

/**
 * Statistics of the runs that were asked for; null where no run says anything.
 *
 * @param totalTokens of a run and its descendants among them that both have tokens only the deepest count, costs likewise
 */
public record RunStatsResponse(
        long runCount,
        @Schema(description = "Seconds.") @Nullable Double latencyP50,
        @Schema(description = "Seconds.") @Nullable Double latencyP99,
        @Schema(description = "Seconds.") @Nullable Double firstTokenP50,
        @Schema(description = "Seconds.") @Nullable Double firstTokenP99,
        @Schema(description = "Of a run and its descendants that both have tokens only the deepest count; costs likewise.") @Nullable Long totalTokens,
        @Nullable Long promptTokens,
        @Nullable Long completionTokens,
        @Nullable BigDecimal totalCost,
        @Nullable BigDecimal promptCost,
        @Nullable BigDecimal completionCost,
        @Nullable Instant lastRunStartTime,
        @Schema(description = "0 to 1.") @Nullable Double errorRate,
        @Schema(description = "0 to 1.") @Nullable Double streamingRate,
        @JsonRawValue @Schema(implementation = FeedbackByKey.class, description = "What all feedback on the runs says, by key.") @Nullable String feedbackStats) {
}
