package dev.waybill.experiment.statistics;

import java.math.BigDecimal;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The statistics of a session's runs. Counts, latencies and rates are of root runs; first tokens are of all runs. Of a run and
 * its descendants that both have tokens only the deepest count, costs likewise: an agent often repeats its model calls' usage.
 */
record RunStatistics(long runCount, @Nullable Double latencyP50, @Nullable Double latencyP99,
        @Nullable Double firstTokenP50, @Nullable Double firstTokenP99, @Nullable Long totalTokens,
        @Nullable Long promptTokens, @Nullable Long completionTokens, @Nullable BigDecimal totalCost,
        @Nullable BigDecimal promptCost, @Nullable BigDecimal completionCost, @Nullable Instant lastRunStartTime,
        @Nullable Double errorRate, @Nullable Double streamingRate) {

    static final RunStatistics NO_RUNS = new RunStatistics(0, null, null, null, null, null, null, null, null, null, null, null,
            null, null);
}
