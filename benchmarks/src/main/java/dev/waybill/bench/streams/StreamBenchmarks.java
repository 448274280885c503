package dev.waybill.bench.streams;

import java.util.List;

import dev.waybill.bench.BenchmarkCase;
import dev.waybill.bench.BenchmarkResult;

/** Runs the stream benchmarks. */
public final class StreamBenchmarks {

    private static final List<BenchmarkCase<StreamBenchmarkContext>> CASES = List.of(
            new BenchmarkCase<>("S1", bench -> new RunCostBenchmark(bench).measure()),
            new BenchmarkCase<>("S2", bench -> new DevServerBenchmark(bench).measure()),
            new BenchmarkCase<>("S3", bench -> new IdleStreamsBenchmark(bench).measure()),
            new BenchmarkCase<>("S4", bench -> new SlowReaderBenchmark(bench).measure()));

    private StreamBenchmarks() {
    }

    public static List<BenchmarkResult> measure(StreamBenchmarkContext bench) {
        return BenchmarkCase.runSelected(CASES, bench, bench.options(), bench.out());
    }
}
