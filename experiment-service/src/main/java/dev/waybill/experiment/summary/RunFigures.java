package dev.waybill.experiment.summary;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;

import org.jspecify.annotations.Nullable;

import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.sqlclient.data.Numeric;

/** Mergeable figures of runs, of all of them and of root runs. */
public final class RunFigures {

    private final Group all = new Group();
    private final Group roots = new Group();
    private boolean finished;

    /** Returns the figures of all runs; of a run and its descendants with usage, the usage of the deepest counts. */
    public Group all() {
        return all;
    }

    /** Returns the figures of root runs, with their own usage. */
    public Group roots() {
        return roots;
    }

    /** Adds a row of {@link SummaryStatement}. */
    void add(Row row) {
        all.addCounts(row.getLong("runs"), row.getLong("errors"), row.getLong("streamed"), row.getOffsetDateTime("last_start"));
        roots.addCounts(row.getLong("root_runs"), row.getLong("root_errors"), row.getLong("root_streamed"),
                row.getOffsetDateTime("last_root_start"));
        all.latencies.add(bytes(row, "latency"));
        all.firstTokens.add(bytes(row, "first_token"));
        roots.latencies.add(bytes(row, "root_latency"));
        roots.firstTokens.add(bytes(row, "root_first_token"));
        addUsage(row);
    }

    private void addUsage(Row row) {
        @Nullable
        Numeric[] usage = row.getArrayOfNumerics("usage");
        Long[] counts = row.getArrayOfLongs("usage_counts");
        @Nullable
        Numeric[] rootUsage = row.getArrayOfNumerics("root_usage");
        for (int i = 0; i < UsageTotals.VALUES; i++) {
            all.usage.add(i, decimal(usage[i]), counts[i]);
            roots.usage.add(i, decimal(rootUsage[i]), 1);
        }
    }

    /** Subtracts the usage of a run whose descendants in other periods have usage. */
    void subtract(OpenRun run, boolean tokens, boolean costs) {
        all.usage.subtract(run, tokens, costs);
    }

    /** Calculates the percentiles and releases the distributions, after which nothing but usage can be added. */
    void finish() {
        if (!finished) {
            finished = true;
            roots.finish();
            all.latencies.add(roots.latencies);
            all.firstTokens.add(roots.firstTokens);
            all.finish();
            all.release();
            roots.release();
        }
    }

    static byte @Nullable [] bytes(Row row, String column) {
        Buffer buffer = row.getBuffer(column);
        return buffer == null ? null : buffer.getBytes();
    }

    private static @Nullable BigDecimal decimal(@Nullable Numeric number) {
        return number == null ? null : number.bigDecimalValue();
    }

    /** Percentiles of durations in seconds; null without values. */
    public record Percentiles(@Nullable Double p50, @Nullable Double p99) {

        private static Percentiles of(Distribution distribution) {
            return new Percentiles(distribution.percentile(0.5), distribution.percentile(0.99));
        }
    }

    /** Figures of a group of runs. */
    public static final class Group {

        private long runs;
        private long errors;
        private long streamed;
        private @Nullable Instant lastStart;
        // Those of all runs do not contain root runs until the figures are finished.
        private Distribution latencies = new Distribution();
        private Distribution firstTokens = new Distribution();
        private Percentiles latency = new Percentiles(null, null);
        private Percentiles firstToken = latency;
        private final UsageTotals usage = new UsageTotals();

        private void addCounts(long moreRuns, long moreErrors, long moreStreamed, @Nullable OffsetDateTime start) {
            runs += moreRuns;
            errors += moreErrors;
            streamed += moreStreamed;
            if (start != null && (lastStart == null || start.toInstant().isAfter(lastStart))) {
                lastStart = start.toInstant();
            }
        }

        private void finish() {
            latency = Percentiles.of(latencies);
            firstToken = Percentiles.of(firstTokens);
        }

        private void release() {
            latencies = new Distribution();
            firstTokens = new Distribution();
        }

        Distribution latencies() {
            return latencies;
        }

        Distribution firstTokens() {
            return firstTokens;
        }

        UsageTotals usage() {
            return usage;
        }

        long streamed() {
            return streamed;
        }

        /** Returns the number of runs. */
        public long runs() {
            return runs;
        }

        /** Returns the number of runs with an error. */
        public long errors() {
            return errors;
        }

        /** Returns the share of runs with an error; null without runs. */
        public @Nullable Double errorRate() {
            return runs == 0 ? null : (double) errors / runs;
        }

        /** Returns the share of runs with a first token; null without runs. */
        public @Nullable Double streamingRate() {
            return runs == 0 ? null : (double) streamed / runs;
        }

        /** Returns when the last run started; null without runs. */
        public @Nullable Instant lastStart() {
            return lastStart;
        }

        /** Returns the seconds from start to end, if {@link DurationSelection} contains them. */
        public Percentiles latency() {
            return latency;
        }

        /** Returns the seconds from start to first token, if {@link DurationSelection} contains them. */
        public Percentiles firstToken() {
            return firstToken;
        }

        /** Returns the sum; null without values. */
        public @Nullable Long totalTokens() {
            return usage.tokens(0);
        }

        /** Returns the sum; null without values. */
        public @Nullable Long promptTokens() {
            return usage.tokens(1);
        }

        /** Returns the sum; null without values. */
        public @Nullable Long completionTokens() {
            return usage.tokens(2);
        }

        /** Returns the sum; null without values. */
        public @Nullable BigDecimal totalCost() {
            return usage.cost(0);
        }

        /** Returns the sum; null without values. */
        public @Nullable BigDecimal promptCost() {
            return usage.cost(1);
        }

        /** Returns the sum; null without values. */
        public @Nullable BigDecimal completionCost() {
            return usage.cost(2);
        }
    }
}
