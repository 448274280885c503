package dev.waybill.bench;

import java.util.ArrayList;
import java.util.List;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.ExportRunner.ExportResult;
import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.local.traces.TraceDay;

/**
 * P8: compares two concurrent export runs with one. A run uses a thread of the service and a backend of PostgreSQL, and
 * the object store shares the machine, so a throttled store shows that runs do not block each other. The CPU cost is
 * measured separately.
 */
final class ParallelRunsBenchmark {

    /** Per connection, with three connections per run: slower than a run without throttling. */
    private static final double BYTES_PER_SECOND = 1_000_000;

    private final BenchmarkContext bench;

    ParallelRunsBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        // A quarter of the rows is sufficient, because the store is slow.
        ExportSpec spec = new ExportSpec(bench.largeRows().sessionId(), TraceDay.start(), TraceDay.endOf(4));
        List<Pair> throughput = new ArrayList<>();
        List<Pair> cpuPerRow = new ArrayList<>();
        List<Pair> unlimited = new ArrayList<>();
        try (ThrottledProxy slow = new ThrottledProxy(bench.stack.s3().endpoint(), BYTES_PER_SECOND)) {
            ExportRunner throttled = new ExportRunner(bench, "parallel-slow", slow.address());
            ExportRunner unthrottled = new ExportRunner(bench, "parallel");
            for (int round = 0; round <= Math.min(3, bench.options.pairs()); round++) {
                ExportResult one = throttled.run(spec);
                ExportResult two = throttled.run(spec, spec);
                ExportResult oneAlone = unthrottled.run(spec);
                ExportResult twoAlone = unthrottled.run(spec, spec);
                throttled.deleteFiles();
                unthrottled.deleteFiles();
                bench.print("%s one run %.1f s (%.1f CPU), two %.1f s (%.1f CPU); without throttling %.1f and %.1f s",
                        BenchmarkContext.round(round), one.seconds(), one.usage().seconds(), two.seconds(),
                        two.usage().seconds(),
                        oneAlone.seconds(), twoAlone.seconds());
                if (round > 0) {
                    throughput.add(pair(one, two));
                    cpuPerRow.add(new Pair(two.usage().seconds() / two.rows(), one.usage().seconds() / one.rows()));
                    unlimited.add(pair(oneAlone, twoAlone));
                }
            }
        }
        return List.of(
                BenchmarkResult.ofPairs("P8",
                        "rows per second of two concurrent runs, over one, to a store of 1 MB/s per connection",
                        throughput, Pair::ratio, Goal.AT_LEAST, 1.7),
                BenchmarkResult.ofPairs("P8 CPU", "CPU per row of two concurrent runs, over one", cpuPerRow, Pair::ratio,
                        Goal.AT_MOST, 1.1),
                BenchmarkResult.ofPairs("P8 quick", "rows per second, PostgreSQL and the unthrottled store on the same "
                        + Runtime.getRuntime().availableProcessors() + " processors", unlimited, Pair::ratio, Goal.NONE, 0));
    }

    private static Pair pair(ExportResult one, ExportResult two) {
        return new Pair(two.rows() / two.seconds(), one.rows() / one.seconds());
    }
}
