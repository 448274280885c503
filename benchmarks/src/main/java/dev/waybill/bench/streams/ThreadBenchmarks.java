package dev.waybill.bench.streams;

import java.util.List;

import dev.waybill.bench.BenchmarkResult;
import dev.waybill.local.stack.Stack;

/** Benchmarks of runs on threads, which a running stack's database stores. */
public final class ThreadBenchmarks {

    private ThreadBenchmarks() {
    }

    /** Returns T1 with T2: runs on threads, compared with runs without a thread and with the development server. */
    public static List<BenchmarkResult> measureRuns(StreamBenchmarkContext bench, Stack stack) {
        return new ThreadRunsBenchmark(bench, new ThreadDatabase(stack)).measure();
    }

    /** Returns T3: checkpoints of a large state. */
    public static List<BenchmarkResult> measureLargeState(StreamBenchmarkContext bench, Stack stack) {
        return new LargeStateBenchmark(bench, new ThreadDatabase(stack)).measure();
    }
}
