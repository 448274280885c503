package dev.waybill.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.ExportRunner.ExportResult;
import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.bench.ThreadCpuTimes.Kind;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.traces.TraceDay;

/**
 * P5: compares an export of one day with an export of the same rows in 31 days, measures the cost of each additional
 * day by thread, and compares it with DuckDB. The service is warm, since most of the fixed cost of a run is JIT
 * compilation.
 */
final class PartitionBenchmark {

    private static final int DAYS = 31;
    private static final int ROWS_TO_WARM_UP = 60_000;

    private final BenchmarkContext bench;
    private final UUID inOneDay;
    private final UUID inManyDays;
    private final ExportRunner exports;
    private final List<Pair> cpu = new ArrayList<>();
    private final List<Pair> memory = new ArrayList<>();
    private final List<ThreadCpuTimes> additionalDays = new ArrayList<>();
    private final List<Double> additionalDaysPostgres = new ArrayList<>();

    PartitionBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.inOneDay = bench.largeRows().sessionId();
        bench.print("Spreading the rows over %d days ...", DAYS);
        this.inManyDays = bench.table().spread(inOneDay, "bench-days", DAYS);
        this.exports = new ExportRunner(bench, "days");
    }

    List<BenchmarkResult> measure() {
        // One concurrent run, so that only the number of partitions differs.
        bench.restart(ServiceKind.EXPORT, Map.of("waybill.export.execution.max-concurrent-runs", "1"));
        warmUp();
        for (int round = 0; round <= bench.options.pairs(); round++) {
            Measured one = measured(inOneDay, 1);
            Measured many = measured(inManyDays, DAYS);
            bench.print("%s one day %.2f, %d MiB, files of %,d; %d days %.2f, %d MiB, files of %,d",
                    BenchmarkContext.round(round),
                    one.seconds(), one.memory() >> 20, one.result().bytes(), DAYS, many.seconds(), many.memory() >> 20,
                    many.result().bytes());
            if (round > 0) {
                addPair(one, many);
            }
        }
        List<BenchmarkResult> results = new ArrayList<>(List.of(
                BenchmarkResult.ofPairs("P5", "the same rows in 31 days, CPU of a warm service over one day", cpu, Pair::ratio,
                        Goal.AT_MOST, 1.1),
                BenchmarkResult.ofPairs("P5 RSS", "the same, peak resident memory of the service", memory, Pair::ratio,
                        Goal.AT_MOST,
                        1.1)));
        results.addAll(additionalDayCosts());
        results.add(new DuckDbPartitionBenchmark(bench, exports).measure(spec(inManyDays, DAYS)));
        bench.table().remove(inManyDays);
        bench.restart(ServiceKind.EXPORT, Map.of());
        return results;
    }

    private void addPair(Measured one, Measured many) {
        if (one.result().rows() != many.result().rows()) {
            throw new IllegalStateException(one.result().rows() + " rows in one day, " + many.result().rows() + " in many");
        }
        cpu.add(new Pair(many.seconds(), one.seconds()));
        memory.add(new Pair(many.memory(), one.memory()));
        additionalDays.add(many.threads().since(one.threads()));
        additionalDaysPostgres.add(many.result().usage().postgres() - one.result().usage().postgres());
    }

    /** Returns the cost of each additional day. */
    private List<BenchmarkResult> additionalDayCosts() {
        List<BenchmarkResult> results = new ArrayList<>();
        Arrays.stream(Kind.values())
                .map(kind -> perDay(kind.description(), additionalDays.stream().map(times -> times.of(kind)).toList()))
                .forEach(results::add);
        results.add(perDay("PostgreSQL", additionalDaysPostgres));
        return results;
    }

    private static BenchmarkResult perDay(String description, List<Double> seconds) {
        return BenchmarkResult.ofValues("P5 day", "CPU of one additional day: " + description, "ms",
                seconds.stream().map(all -> all * 1000 / (DAYS - 1)).toList(), 0.5, Goal.NONE, 0);
    }

    // Uses enough rows per day that the encoding code is compiled, too.
    private void warmUp() {
        UUID warmUpRuns = bench.table().add("bench-few", bench.generator(5), Math.min(ROWS_TO_WARM_UP, bench.options.rows()));
        UUID inDays = bench.table().spread(warmUpRuns, "bench-few-days", DAYS);
        bench.warmUp().untilCompiled(() -> {
            exports.run(spec(warmUpRuns, 1));
            exports.run(spec(inDays, DAYS));
            exports.deleteFiles();
        });
        bench.table().remove(warmUpRuns);
        bench.table().remove(inDays);
    }

    private Measured measured(UUID session, int days) {
        CpuTime.resetPeakMemory(service());
        ThreadCpuTimes before = ThreadCpuTimes.of(service());
        ExportResult result = exports.run(spec(session, days));
        ThreadCpuTimes used = ThreadCpuTimes.of(service()).since(before);
        long peak = CpuTime.peakMemory(service());
        exports.deleteFiles();
        return new Measured(result, used, peak);
    }

    private static ExportSpec spec(UUID session, int days) {
        return new ExportSpec(session, TraceDay.start(), TraceDay.start().plus(Duration.ofDays(days)));
    }

    private long service() {
        return bench.stack.service(ServiceKind.EXPORT).pid();
    }

    /** One export with the CPU time of the service's threads and its peak memory. */
    private record Measured(ExportResult result, ThreadCpuTimes threads, long memory) {

        double seconds() {
            return result.usage().seconds();
        }
    }
}
