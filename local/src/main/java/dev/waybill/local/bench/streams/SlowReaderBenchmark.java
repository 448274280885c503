package dev.waybill.local.bench.streams;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.waybill.local.bench.CpuTime;
import dev.waybill.local.bench.BenchmarkResult;
import dev.waybill.local.bench.BenchmarkResult.Pair;
import dev.waybill.local.bench.Goal;
import dev.waybill.local.bench.JavaHeap;
import dev.waybill.local.bench.streams.Workload.RunTimes;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.runtime.StreamingClient;

/**
 * S4: what 63 clients feel of another one that reads a long answer at 1 KB a second, and what that one makes the runtime hold.
 */
final class SlowReaderBenchmark {

    private static final int FAST = 63;
    private static final int BYTES_PER_SECOND = 1024;
    private static final int WINDOW = 4096;
    private static final Workload RUN = Workload.tokens(20, "");
    private static final Workload ENDLESS = Workload.tokens(9_999_999, "");
    private static final int MANY = 50;
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final double KIB = 1024;
    /** Of a pair, with and without in turns, so that what drifts or disturbs is on neither side. */
    private static final int TURNS = 4;
    /** The compiler is at work for the first hundred thousand runs. */
    private static final int WARM_UP_RUNS = 100_000;
    private static final int WARM_UP_SLOTS = 20;
    /** Far below what the machine can do: who waits for a processor waits for its neighbours, too. */
    private static final Duration PAUSE = Duration.ofMillis(250);

    private static final Duration UNTIL_FULL = Duration.ofSeconds(1);

    private final StreamBenchmarkContext bench;

    SlowReaderBenchmark(StreamBenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        Map<String, String> properties = Map.of("waybill.runtime.runs.kept", "100");
        List<Pair> times = new ArrayList<>();
        List<Pair> noise = new ArrayList<>();
        List<Held> held = new ArrayList<>();
        try (RuntimeProcess runtime = bench.sample(List.of("-Xms256m", "-XX:+AlwaysPreTouch"), properties);
                StreamClients fast = new StreamClients(runtime.address(), FAST, RUN)) {
            warmUp(fast);
            for (int round = 0; round < bench.options().pairs(); round++) {
                List<RunTimes> with = new ArrayList<>();
                List<RunTimes> without = new ArrayList<>();
                List<RunTimes> again = new ArrayList<>();
                for (int turn = 0; turn < TURNS; turn++) {
                    without.addAll(apart(fast));
                    with.addAll(with(runtime, fast));
                    again.addAll(apart(fast));
                }
                times.add(new Pair(p99(with), p99(without, again)));
                noise.add(new Pair(p99(again), p99(without)));
                held.add(held(runtime));
                bench.say(
                        "pair    p99 of %d clients' runs %.2f ms with a slow reader, %.2f and %.2f without; a slow reader holds %.0f"
                                + " KiB and costs %.0f us of CPU a second",
                        FAST, times.getLast().ours(), noise.getLast().theirs(),
                        noise.getLast().ours(), held.getLast().memory(), held.getLast().cpu());
            }
        }
        return List.of(
                BenchmarkResult.ofPairs("S4", "p99 of 63 clients' runs with a reader of 1 KB/s among them, over without", times,
                        Pair::ratio, Goal.AT_MOST, 1.1),
                BenchmarkResult.ofPairs("S4 noise", "the same without over without", noise, Pair::ratio, Goal.NONE, 0),
                BenchmarkResult.ofValues("S4 CPU", "CPU a second for such a reader, runtime and worker, of " + MANY, "us",
                        held.stream().map(Held::cpu).toList(), 0.5, Goal.NONE, 0),
                BenchmarkResult.ofValues("S4 RSS", "what the runtime holds for such a reader, heap and beyond, of " + MANY, "KiB",
                        held.stream().map(Held::memory).toList(), 0.5, Goal.AT_MOST, 1024));
    }

    private void warmUp(StreamClients fast) {
        int runs = 0;
        for (int slot = 0; slot < WARM_UP_SLOTS && runs < WARM_UP_RUNS; slot++) {
            runs += fast.runFor(bench.slot()).size();
        }
        // At the pace that is measured, too.
        apart(fast);
        bench.say("warm-up %,d runs", runs);
    }

    private List<RunTimes> with(RuntimeProcess runtime, StreamClients fast) {
        try (Slow slow = Slow.begin(runtime)) {
            // What fits between the worker and it is there at once, as of any answer; slow is what comes then.
            Thread.sleep(UNTIL_FULL);
            List<RunTimes> times = apart(fast);
            slow.requireReading();
            return times;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            runtime.awaitIdle(LIMIT);
        }
    }

    private List<RunTimes> apart(StreamClients fast) {
        return fast.runFor(bench.slot(), PAUSE);
    }

    @SafeVarargs
    private static double p99(List<RunTimes>... times) {
        return StreamClients.p99(Stream.of(times).flatMap(List::stream).toList(), RunTimes::whole);
    }

    /** One alone would be lost among what comes and goes. */
    private Held held(RuntimeProcess runtime) {
        List<Slow> readers = new ArrayList<>();
        try {
            // Each slot before the heap is looked at, which is work for the runtime.
            double idle = cpuOfASlot(runtime);
            double before = memory(runtime);
            for (int i = 0; i < MANY; i++) {
                readers.add(Slow.begin(runtime));
            }
            Thread.sleep(bench.slot());
            double cpu = (cpuOfASlot(runtime) - idle) / MANY / bench.slot().toSeconds();
            double memory = (memory(runtime) - before) / MANY;
            readers.forEach(Slow::requireReading);
            return new Held(memory, cpu);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            readers.forEach(Slow::close);
            runtime.awaitIdle(LIMIT);
        }
    }

    /** @return in microseconds, with the worker's */
    private double cpuOfASlot(RuntimeProcess runtime) throws InterruptedException {
        double before = cpu(runtime);
        Thread.sleep(bench.slot());
        return (cpu(runtime) - before) * 1e6;
    }

    private static double cpu(RuntimeProcess runtime) {
        return CpuTime.of(runtime.pid()) + runtime.workers().stream().mapToDouble(CpuTime::of).sum();
    }

    /** @return in KiB; the heap's own size stands in it and does not change */
    private static double memory(RuntimeProcess runtime) {
        return (JavaHeap.used(runtime.pid()) + CpuTime.memory(runtime.pid())) / KIB;
    }

    /**
     * What a slow reader takes of the runtime.
     *
     * @param memory KiB
     * @param cpu microseconds a second
     */
    private record Held(double memory, double cpu) {
    }

    /**
     * One that reads what does not end.
     *
     * @param thread that it reads in
     */
    private record Slow(StreamingClient client, Thread thread) implements AutoCloseable {

        static Slow begin(RuntimeProcess runtime) {
            StreamingClient client = StreamingClient.connect(runtime.address(), null, WINDOW);
            client.post("/runs/stream", ENDLESS.body());
            client.pace(BYTES_PER_SECOND);
            return new Slow(client, Thread.startVirtualThread(() -> read(client)));
        }

        private static void read(StreamingClient client) {
            try {
                while (client.next().isPresent()) {
                    // It takes what comes.
                }
            } catch (UncheckedIOException _) {
                // It was closed, as it is in the end; or the server closed it, and somebody asks.
            }
        }

        void requireReading() {
            if (!thread.isAlive()) {
                throw new IllegalStateException("a slow reader's stream is over");
            }
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
