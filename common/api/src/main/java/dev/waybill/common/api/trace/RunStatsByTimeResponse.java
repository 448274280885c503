package dev.waybill.common.api.trace;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of the selected runs of a session by time of their start.
 *
 * @param startTime start of the range, inclusive; null if the session has no runs and the request has no start
 * @param endTime end of the range, exclusive
 * @param buckets all buckets of the range in order of time, also those without runs
 */
public record RunStatsByTimeResponse(
        UUID sessionId,
        @Schema(description = "Start of the range, inclusive; by default the start of the first run.") @Nullable Instant startTime,
        @Schema(description = "End of the range, exclusive; by default after the start of the last run.") @Nullable Instant endTime,
        @Schema(description = "Start of the first run of the session, whatever the conditions.") @Nullable Instant firstRunStartTime,
        @Schema(description = "Start of the last run of the session, whatever the conditions.") @Nullable Instant lastRunStartTime,
        @Schema(examples = "1h", description = "Width of a bucket; null without buckets.") @Nullable String interval,
        @Schema(description = "Width of a bucket in seconds; null without buckets.") @Nullable Long intervalSeconds,
        @Schema(description = "All buckets of the range in order of time, also those without runs.") List<RunStatsBucket> buckets) {

    /**
     * Statistics of the selected runs that started in a bucket; null if none of them has a value.
     *
     * @param startTime start of the bucket, a multiple of its width in UTC; the first one can begin before the range
     * @param totalTokens if a run and its selected descendants all have tokens, only the deepest count; the same applies to
     *        costs
     */
    @Schema(name = "RunStatsBucket")
    public record RunStatsBucket(
            @Schema(description = "A multiple of the width in UTC; the first bucket can begin before the range.") Instant startTime,
            long runCount,
            long errorCount,
            @Schema(description = "Seconds.") @Nullable Double latencyP50,
            @Schema(description = "Seconds.") @Nullable Double latencyP99,
            @Schema(description = "Seconds.") @Nullable Double firstTokenP50,
            @Schema(description = "If a run and its selected descendants both have tokens, only the deepest count; the same applies to costs.") @Nullable Long totalTokens,
            @Nullable Long promptTokens,
            @Nullable Long completionTokens,
            @Nullable BigDecimal totalCost,
            @Nullable BigDecimal promptCost,
            @Nullable BigDecimal completionCost) {

        /** Returns a bucket without runs. */
        public static RunStatsBucket empty(Instant startTime) {
            return new RunStatsBucket(startTime, 0, 0, null, null, null, null, null, null, null, null, null);
        }
    }
}
