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
        List<Round> rounds = new ArrayList<>();
        try (RuntimeProcess runtime = bench.sample(List.of("-Xms256m", "-XX:+AlwaysPreTouch"), properties);
                Clients fast = new Clients(runtime.address(), FAST, RUN)) {
            fast.runFor(bench.slot().multipliedBy(SLOTS));
            for (int round = 0; round < bench.options().pairs(); round++) {
                // In turns, so that what drifts is on neither side.
                Seen first = round % 2 == 0 ? without(runtime, fast) : with(runtime, fast);
                Seen second = round % 2 == 0 ? with(runtime, fast) : without(runtime, fast);
                Round measured = round % 2 == 0 ? new Round(second, first) : new Round(first, second);
                bench.say(
                        "pair    p99 of %d clients' runs %.2f ms with a slow reader, %.2f without; heap %+.0f KiB, beyond %+.0f",
                        FAST,
                        measured.with().p99(), measured.without().p99(), measured.heap(), measured.beyond());
                rounds.add(measured);
            }
        }
        List<Pair> times = rounds.stream().map(round -> new Pair(round.with().p99(), round.without().p99())).toList();
        return List.of(
                Figure.ofPairs("S4", "p99 of 63 clients' runs with a reader of 1 KB/s among them, over without", times,
                        Pair::ratio, Goal.AT_MOST, 1.1),
                Figure.ofValues("S4 RSS", "what the runtime holds for that reader, heap and beyond", "KiB",
                        rounds.stream().map(round -> round.heap() + round.beyond()).toList(), 0.5, Goal.AT_MOST, 1024));
    }

    private Seen with(RuntimeProcess runtime, Clients fast) {
        try (StreamingClient slow = StreamingClient.connect(runtime.address(), null, WINDOW)) {
            slow.post("/runs/stream", ENDLESS.body());
            slow.pace(BYTES_PER_SECOND);
            Thread reader = Thread.startVirtualThread(() -> read(slow));
            Seen seen = without(runtime, fast);
            if (!reader.isAlive()) {
                throw new IllegalStateException("the slow reader's stream is over");
            }
            return seen;
        } finally {
            runtime.awaitIdle(Duration.ofMinutes(1));
        }
    }

    private static void read(StreamingClient slow) {
        try {
            while (slow.next().isPresent()) {
                // It takes what comes.
            }
        } catch (UncheckedIOException _) {
            // It was closed, as it is in the end.
        }
    }

    private Seen without(RuntimeProcess runtime, Clients fast) {
        List<RunTimes> runs = fast.runFor(bench.slot().multipliedBy(SLOTS), PAUSE);
        return new Seen(Clients.p99(runs, RunTimes::whole), JavaHeap.used(runtime.pid()) / KIB,
                CpuTime.memory(runtime.pid()) / KIB);
    }

    /**
     * What was seen in a slot.
     *
     * @param p99 of the runs, in milliseconds
     * @param heap KiB in it after a collection
     * @param resident KiB of the process, in which the heap stands with its whole size
     */
    private record Seen(double p99, double heap, double resident) {
    }

    private record Round(Seen with, Seen without) {

        double heap() {
            return with.heap() - without.heap();
        }

        double beyond() {
            return with.resident() - without.resident();
        }
    }
}
