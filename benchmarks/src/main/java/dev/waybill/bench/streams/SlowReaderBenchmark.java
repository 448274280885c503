package dev.waybill.bench.streams;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.Goal;
import dev.waybill.bench.streams.Workload.RunTimes;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.runtime.StreamingClient;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.JavaHeap;
import dev.waybill.local.storage.Wait;

/**
 * S4: measures the effect of a client that reads at 1 KB per second on 63 other clients, and its memory in the runtime.
 */
final class SlowReaderBenchmark {

    private static final int FAST_CLIENTS = 63;
    private static final int BYTES_PER_SECOND = 1024;
    private static final int WINDOW = 4096;
    private static final Workload RUN = Workload.tokens(20, "");
    private static final Workload ENDLESS = Workload.tokens(9_999_999, "");
    private static final int SLOW_READERS = 50;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final double KIB = 1024;
    /** Phases per pair, alternating with and without a slow reader, so that drift affects both sides equally. */
    private static final int PHASES = 4;
    /** JIT compilation takes about 100,000 runs. */
    private static final int WARM_UP_RUNS = 100_000;
    private static final int WARM_UP_SLOTS = 20;
    /** Limits the load far below the machine's capacity, so that clients do not wait for processors. */
    private static final Duration PAUSE = Duration.ofMillis(250);

    private static final Duration BUFFER_FILL_TIME = Duration.ofSeconds(1);

    private final StreamBenchmarkContext bench;

    SlowReaderBenchmark(StreamBenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        Map<String, String> properties = Map.of("waybill.runtime.runs.retention.max-age", "1s");
        List<Pair> times = new ArrayList<>();
        List<Pair> noise = new ArrayList<>();
        List<ReaderUsage> usages = new ArrayList<>();
        try (RuntimeProcess runtime = bench.sample(List.of("-Xms256m", "-XX:+AlwaysPreTouch"), properties);
                StreamClients fast = new StreamClients(runtime.address(), FAST_CLIENTS, RUN)) {
            warmUp(fast);
            for (int round = 0; round < bench.options().pairs(); round++) {
                List<RunTimes> withSlowReader = new ArrayList<>();
                List<RunTimes> baseline = new ArrayList<>();
                List<RunTimes> repeatedBaseline = new ArrayList<>();
                for (int phase = 0; phase < PHASES; phase++) {
                    baseline.addAll(runFast(fast));
                    withSlowReader.addAll(withSlowReader(runtime, fast));
                    repeatedBaseline.addAll(runFast(fast));
                }
                times.add(new Pair(p99(withSlowReader), p99(baseline, repeatedBaseline)));
                noise.add(new Pair(p99(repeatedBaseline), p99(baseline)));
                usages.add(usages(runtime));
                bench.print(
                        "pair    p99 of %d clients' runs %.2f ms with a slow reader, %.2f and %.2f without; a slow reader uses %.0f"
                                + " KiB and %.0f us of CPU per second",
                        FAST_CLIENTS, times.getLast().waybill(), noise.getLast().reference(),
                        noise.getLast().waybill(), usages.getLast().memory(), usages.getLast().cpu());
            }
        }
        return List.of(
                BenchmarkResult.ofPairs("S4", "p99 of 63 clients' runs with a reader of 1 KB/s, over without", times,
                        Pair::ratio, Goal.AT_MOST, 1.1),
                BenchmarkResult.ofPairs("S4 noise", "the same, both without a slow reader", noise, Pair::ratio, Goal.NONE, 0),
                BenchmarkResult.ofValues("S4 CPU", "CPU per second and slow reader, runtime and worker, of " + SLOW_READERS,
                        "us",
                        usages.stream().map(ReaderUsage::cpu).toList(), 0.5, Goal.NONE, 0),
                BenchmarkResult.ofValues("S4 RSS",
                        "memory of the runtime per slow reader, heap and outside, of " + SLOW_READERS, "KiB",
                        usages.stream().map(ReaderUsage::memory).toList(), 0.5, Goal.AT_MOST, 1024));
    }

    private void warmUp(StreamClients fast) {
        int runs = 0;
        for (int slot = 0; slot < WARM_UP_SLOTS && runs < WARM_UP_RUNS; slot++) {
            runs += fast.runFor(bench.slot()).size();
        }
        // Warms up at the measured rate, too.
        runFast(fast);
        bench.print("warm-up %,d runs", runs);
    }

    private List<RunTimes> withSlowReader(RuntimeProcess runtime, StreamClients fast) {
        try (SlowClient slow = SlowClient.begin(runtime)) {
            // Waits until the buffers between worker and client are full.
            Wait.sleep(BUFFER_FILL_TIME);
            List<RunTimes> times = runFast(fast);
            slow.requireReading();
            return times;
        } finally {
            runtime.awaitIdle(TIMEOUT);
        }
    }

    private List<RunTimes> runFast(StreamClients fast) {
        return fast.runFor(bench.slot(), PAUSE);
    }

    @SafeVarargs
    private static double p99(List<RunTimes>... times) {
        return StreamClients.p99(Stream.of(times).flatMap(List::stream).toList(), RunTimes::total);
    }

    /** Measures many slow readers, since the usage of one is within the noise. */
    private ReaderUsage usages(RuntimeProcess runtime) {
        List<SlowClient> readers = new ArrayList<>();
        try {
            // Measures CPU before the heap, because the collection uses CPU.
            double idle = cpuOfSlot(runtime);
            double before = memory(runtime);
            for (int i = 0; i < SLOW_READERS; i++) {
                readers.add(SlowClient.begin(runtime));
            }
            Wait.sleep(bench.slot());
            double cpu = (cpuOfSlot(runtime) - idle) / SLOW_READERS / bench.slot().toSeconds();
            double memory = (memory(runtime) - before) / SLOW_READERS;
            readers.forEach(SlowClient::requireReading);
            return new ReaderUsage(memory, cpu);
        } finally {
            readers.forEach(SlowClient::close);
            runtime.awaitIdle(TIMEOUT);
        }
    }

    /** Returns the CPU microseconds of runtime and worker in one slot. */
    private double cpuOfSlot(RuntimeProcess runtime) {
        double before = cpu(runtime);
        Wait.sleep(bench.slot());
        return (cpu(runtime) - before) * 1e6;
    }

    private static double cpu(RuntimeProcess runtime) {
        return CpuTime.of(runtime.pid()) + runtime.workers().stream().mapToDouble(CpuTime::of).sum();
    }

    /** Returns the memory in KiB, including the constant size of the pre-touched heap. */
    private static double memory(RuntimeProcess runtime) {
        return (JavaHeap.used(runtime.pid()) + CpuTime.memory(runtime.pid())) / KIB;
    }

    /**
     * Usage of the runtime per slow reader.
     *
     * @param memory KiB
     * @param cpu microseconds per second
     */
    private record ReaderUsage(double memory, double cpu) {
    }

    /**
     * A client that reads an endless stream slowly.
     *
     * @param thread thread that reads
     */
    private record SlowClient(StreamingClient client, Thread thread) implements AutoCloseable {

        static SlowClient begin(RuntimeProcess runtime) {
            StreamingClient client = StreamingClient.connect(runtime.address(), null, WINDOW);
            client.post("/runs/stream", ENDLESS.body());
            client.setReadRate(BYTES_PER_SECOND);
            return new SlowClient(client, Thread.startVirtualThread(() -> read(client)));
        }

        private static void read(StreamingClient client) {
            try {
                while (client.next().isPresent()) {
                    // Discards the events.
                }
            } catch (UncheckedIOException _) {
                // The client was closed at the end; requireReading detects a stream that the server closed.
            }
        }

        void requireReading() {
            if (!thread.isAlive()) {
                throw new IllegalStateException("the stream of a slow reader has ended");
            }
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
