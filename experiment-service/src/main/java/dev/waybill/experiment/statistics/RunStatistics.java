package dev.waybill.experiment.statistics;

import java.math.BigDecimal;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Statistics of a session's runs. Counts, latencies and rates cover root runs; times to first token cover all runs. If
 * a run and its descendants have tokens, only the deepest runs count, likewise for costs: agents often repeat the usage
 * of their model calls.
 */
record RunStatistics(long runCount, @Nullable Double latencyP50, @Nullable Double latencyP99,
        @Nullable Double firstTokenP50, @Nullable Double firstTokenP99, @Nullable Long totalTokens,
        @Nullable Long promptTokens, @Nullable Long completionTokens, @Nullable BigDecimal totalCost,
        @Nullable BigDecimal promptCost, @Nullable BigDecimal completionCost, @Nullable Instant lastRunStartTime,
        @Nullable Double errorRate, @Nullable Double streamingRate) {

    static final RunStatistics NO_RUNS = new RunStatistics(0, null, null, null, null, null, null, null, null, null, null, null,
            null, null);
}
