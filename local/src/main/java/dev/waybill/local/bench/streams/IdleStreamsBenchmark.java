package dev.waybill.local.bench.streams;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import com.sun.management.UnixOperatingSystemMXBean;

import dev.waybill.local.bench.CpuTime;
import dev.waybill.local.bench.BenchmarkResult;
import dev.waybill.local.bench.Goal;
import dev.waybill.local.bench.JavaHeap;
import dev.waybill.local.runtime.IdleCrowd;
import dev.waybill.local.runtime.RuntimeProcess;

/**
 * S3: what very many streams hold that say nothing but heartbeats. The heap is touched whole from the beginning, so that what
 * the
 * process grows by is what lies outside of it; the kernel's own memory for a connection is in neither.
 */
final class IdleStreamsBenchmark {

    private static final int TIMES = 3;
    private static final int OTHER_FILES = 500;
    private static final double KIB = 1024;
    private static final int WARM_UP = 64;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration WATCHED = Duration.ofSeconds(20);

    private final StreamBenchmarkContext bench;
    private final int count;

    IdleStreamsBenchmark(StreamBenchmarkContext bench) {
        this.bench = bench;
        this.count = bench.options().idleStreams();
    }

    List<BenchmarkResult> measure() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && system.getMaxFileDescriptorCount() < count + OTHER_FILES) {
            throw new IllegalStateException("this machine lets a process have " + system.getMaxFileDescriptorCount()
                    + " open files, which is too few for " + count + " connections (ulimit -Hn)");
        }
        List<Held> held = new ArrayList<>();
        for (int time = 0; time < Math.min(TIMES, bench.options().pairs()); time++) {
            held.add(hold());
        }
        String streams = String.format("%,d idle streams: ", count);
        return List.of(
                figure("S3", streams + "what the runtime holds for each, heap and beyond", "KiB", held, Held::both, 10),
                figure("S3 heap", streams + "of that in the heap, after a collection", "KiB", held, Held::heap, Double.NaN),
                figure("S3 RSS", streams + "of that outside of the heap", "KiB", held, Held::beyond, Double.NaN),
                figure("S3 left", streams + "what ended ones, which are kept for a while, leave in the heap", "KiB", held,
                        Held::left,
                        Double.NaN),
                figure("S3 CPU", streams + "the runtime's CPU a second", "ms", held, Held::cpu, Double.NaN),
                figure("S3 beat", streams + "the runtime's CPU for a heartbeat", "us", held, Held::beat, Double.NaN));
    }

    private static BenchmarkResult figure(String name, String what, String unit, List<Held> held, Function<Held, Double> value,
            double limit) {
        return BenchmarkResult.ofValues(name, what, unit, held.stream().map(value).toList(), 0.5,
                Double.isNaN(limit) ? Goal.NONE : Goal.AT_MOST, limit);
    }

    private Held hold() {
        Map<String, String> properties = Map.of("waybill.runtime.runs.concurrent", Integer.toString(count + WARM_UP));
        try (RuntimeProcess runtime = bench.sample(List.of("-Xms256m", "-XX:+AlwaysPreTouch"), properties)) {
            try (StreamClients clients = new StreamClients(runtime.address(), WARM_UP, Workload.tokens(20, ""))) {
                clients.runFor(bench.slot().multipliedBy(2));
            }
            long heap = JavaHeap.used(runtime.pid());
            long resident = CpuTime.memory(runtime.pid());
            Held held;
            try (IdleCrowd crowd = new IdleCrowd(runtime.address(), count)) {
                crowd.awaitOpen(LIMIT);
                crowd.awaitHeartbeats(LIMIT);
                held = watch(runtime, crowd, heap, resident);
                crowd.requireWhole();
            }
            runtime.awaitIdle(LIMIT);
            held = held.whenLeft((JavaHeap.used(runtime.pid()) - heap) / KIB / count);
            bench.say(
                    "%,d idle streams: %.1f KiB each in the heap, %.1f outside, %.2f when they have ended; %.0f ms of CPU a second,"
                            + " %.1f us a heartbeat",
                    count, held.heap(), held.beyond(), held.left(), held.cpu(), held.beat());
            return held;
        }
    }

    private Held watch(RuntimeProcess runtime, IdleCrowd crowd, long heap, long resident) {
        double cpu = CpuTime.of(runtime.pid());
        long heartbeats = crowd.heartbeats();
        long began = System.nanoTime();
        try {
            Thread.sleep(WATCHED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        double used = CpuTime.of(runtime.pid()) - cpu;
        double seconds = (System.nanoTime() - began) / 1e9;
        return new Held((JavaHeap.used(runtime.pid()) - heap) / KIB / count,
                (CpuTime.memory(runtime.pid()) - resident) / KIB / count, 0,
                used * 1000 / seconds, used * 1e6 / (crowd.heartbeats() - heartbeats));
    }

    /**
     * What was seen of one process.
     *
     * @param heap KiB a stream
     * @param beyond KiB a stream outside of the heap
     * @param left KiB a stream in the heap when they have ended
     * @param cpu milliseconds a second
     * @param beat microseconds of CPU a heartbeat
     */
    private record Held(double heap, double beyond, double left, double cpu, double beat) {

        double both() {
            return heap + beyond;
        }

        Held whenLeft(double kibibytes) {
            return new Held(heap, beyond, kibibytes, cpu, beat);
        }
    }
}
