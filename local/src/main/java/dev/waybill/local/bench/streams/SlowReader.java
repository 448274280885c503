package dev.waybill.local.bench.streams;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.waybill.local.bench.CpuTime;
import dev.waybill.local.bench.Figure;
import dev.waybill.local.bench.Figure.Pair;
import dev.waybill.local.bench.Goal;
import dev.waybill.local.bench.JavaHeap;
import dev.waybill.local.bench.streams.Workload.RunTimes;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.runtime.StreamingClient;

/**
 * S4: what 63 clients feel of another one that reads a long answer at 1 KB a second, and what that one makes the runtime hold.
 */
final class SlowReader {

    private static final int FAST = 63;
    private static final int BYTES_PER_SECOND = 1024;
    private static final int WINDOW = 4096;
    private static final Workload RUN = Workload.tokens(20, "");
    private static final Workload ENDLESS = Workload.tokens(9_999_999, "");
    private static final int MANY = 50;
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final double KIB = 1024;
    private static final int SLOTS = 2;
    /** Far below what the machine can do: who waits for a processor waits for its neighbours, too. */
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final StreamBench bench;

    SlowReader(StreamBench bench) {
        this.bench = bench;
    }

    List<Figure> measure() {
        Map<String, String> properties = Map.of("waybill.runtime.runs.kept", "100");
        List<Pair> times = new ArrayList<>();
        List<Double> held = new ArrayList<>();
        try (RuntimeProcess runtime = bench.sample(List.of("-Xms256m", "-XX:+AlwaysPreTouch"), properties);
                Clients fast = new Clients(runtime.address(), FAST, RUN)) {
            fast.runFor(bench.slot().multipliedBy(2 * SLOTS));
            for (int round = 0; round < bench.options().pairs(); round++) {
                // In turns, so that what drifts is on neither side.
                boolean withFirst = round % 2 == 1;
                double first = withFirst ? with(runtime, fast) : without(fast);
                double second = withFirst ? without(fast) : with(runtime, fast);
                times.add(withFirst ? new Pair(first, second) : new Pair(second, first));
                held.add(held(runtime));
                bench.say(
                        "pair    p99 of %d clients' runs %.2f ms with a slow reader, %.2f without; a slow reader holds %.0f KiB",
                        FAST, times.getLast().ours(), times.getLast().theirs(), held.getLast());
            }
        }
        return List.of(
                Figure.ofPairs("S4", "p99 of 63 clients' runs with a reader of 1 KB/s among them, over without", times,
                        Pair::ratio, Goal.AT_MOST, 1.1),
                Figure.ofValues("S4 RSS", "what the runtime holds for such a reader, heap and beyond, of " + MANY, "KiB", held,
                        0.5, Goal.AT_MOST, 1024));
    }

    private double with(RuntimeProcess runtime, Clients fast) {
        try (Slow slow = Slow.begin(runtime)) {
            double p99 = without(fast);
            slow.requireReading();
            return p99;
        } finally {
            runtime.awaitIdle(LIMIT);
        }
    }

    private double without(Clients fast) {
        return Clients.p99(fast.runFor(bench.slot().multipliedBy(SLOTS), PAUSE), RunTimes::whole);
    }

    /** @return in KiB: one alone would be lost among what comes and goes */
    private double held(RuntimeProcess runtime) {
        List<Slow> readers = new ArrayList<>();
        try {
            double before = memory(runtime);
            for (int i = 0; i < MANY; i++) {
                readers.add(Slow.begin(runtime));
            }
            Thread.sleep(bench.slot());
            double after = memory(runtime);
            readers.forEach(Slow::requireReading);
            return (after - before) / MANY;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            readers.forEach(Slow::close);
            runtime.awaitIdle(LIMIT);
        }
    }

    /** @return in KiB; the heap's own size stands in it and does not change */
    private static double memory(RuntimeProcess runtime) {
        return (JavaHeap.used(runtime.pid()) + CpuTime.memory(runtime.pid())) / KIB;
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
