package dev.waybill.local.bench;

import java.util.ArrayList;
import java.util.List;

import dev.waybill.local.bench.ExportRunner.Done;
import dev.waybill.local.bench.ExportRunner.Order;
import dev.waybill.local.bench.BenchmarkResult.Pair;

/**
 * P8: two runs at once over one. A run keeps a thread of the service and a backend of PostgreSQL busy, and the customer's store
 * runs here as well, so on few processors two can only be faster where they wait: for a store that takes so many bytes a second
 * on a connection. That nothing inside makes one wait for the other is what it shows; what it costs is a figure of its own.
 */
final class ParallelRunsBenchmark {

    /** Three connections for each run: slower than a run is by itself, even when two share the processors. */
    private static final double BYTES_PER_SECOND = 1_000_000;

    private final BenchmarkContext bench;

    ParallelRunsBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        // A quarter of the rows takes long enough: the store is slow.
        Order order = new Order(bench.wide().sessionId(), BenchmarkDay.start(), BenchmarkDay.endOf(4));
        List<Pair> throughput = new ArrayList<>();
        List<Pair> effort = new ArrayList<>();
        List<Pair> unhindered = new ArrayList<>();
        try (ThrottledProxy slow = new ThrottledProxy(bench.stack.s3().endpoint(), BYTES_PER_SECOND)) {
            ExportRunner slowly = new ExportRunner(bench, "parallel-slow", slow.address());
            ExportRunner quickly = new ExportRunner(bench, "parallel");
            for (int round = 0; round <= Math.min(3, bench.options.pairs()); round++) {
                Done one = slowly.run(order);
                Done two = slowly.run(order, order);
                Done oneAlone = quickly.run(order);
                Done twoAlone = quickly.run(order, order);
                slowly.forget();
                quickly.forget();
                bench.say("%s one run %.1f s (%.1f CPU), two %.1f s (%.1f CPU); to a quick store %.1f and %.1f s",
                        BenchmarkContext.round(round), one.seconds(), one.effort().seconds(), two.seconds(), two.effort().seconds(),
                        oneAlone.seconds(), twoAlone.seconds());
                if (round > 0) {
                    throughput.add(pair(one, two));
                    effort.add(new Pair(two.effort().seconds() / two.rows(), one.effort().seconds() / one.rows()));
                    unhindered.add(pair(oneAlone, twoAlone));
                }
            }
        }
        return List.of(
                BenchmarkResult.ofPairs("P8", "rows a second of two runs at once, over one, to a store of 1 MB/s a connection",
                        throughput, Pair::ratio, Goal.AT_LEAST, 1.7),
                BenchmarkResult.ofPairs("P8 CPU", "CPU per row of two runs at once, over one", effort, Pair::ratio, Goal.AT_MOST, 1.1),
                BenchmarkResult.ofPairs("P8 quick", "rows a second, PostgreSQL and the quick store on the same "
                        + Runtime.getRuntime().availableProcessors() + " processors", unhindered, Pair::ratio, Goal.NONE, 0));
    }

    private static Pair pair(Done one, Done two) {
        return new Pair(two.rows() / two.seconds(), one.rows() / one.seconds());
    }
}
