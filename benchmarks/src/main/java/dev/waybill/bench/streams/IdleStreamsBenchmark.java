package dev.waybill.bench.streams;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import com.sun.management.UnixOperatingSystemMXBean;

import dev.waybill.bench.BenchmarkResult;
import dev.waybill.bench.Goal;
import dev.waybill.local.runtime.IdleClients;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.JavaHeap;
import dev.waybill.local.storage.Wait;

/**
 * S3: measures the memory and CPU usage of many streams that only send heartbeats. The heap is pre-touched, so that
 * growth of the resident memory is outside of the heap; kernel memory of connections is not included.
 */
final class IdleStreamsBenchmark {

    private static final int TIMES = 3;
    private static final int OTHER_FILES = 500;
    private static final double KIB = 1024;
    private static final int WARM_UP = 64;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration MEASURED_TIME = Duration.ofSeconds(20);

    private final StreamBenchmarkContext bench;
    private final int count;

    IdleStreamsBenchmark(StreamBenchmarkContext bench) {
        this.bench = bench;
        this.count = bench.options().idleStreams();
    }

    List<BenchmarkResult> measure() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && system.getMaxFileDescriptorCount() < count + OTHER_FILES) {
            throw new IllegalStateException("the limit of " + system.getMaxFileDescriptorCount()
                    + " open files is too low for " + count + " connections; increase it with ulimit -Hn");
        }
        List<StreamUsage> usages = new ArrayList<>();
        for (int time = 0; time < Math.min(TIMES, bench.options().pairs()); time++) {
            usages.add(measureStreams());
        }
        String streams = String.format("%,d idle streams: ", count);
        return List.of(
                result("S3", streams + "memory of the runtime per stream, heap and outside", "KiB", usages, StreamUsage::total,
                        10),
                result("S3 heap", streams + "of which in the heap after a collection", "KiB", usages, StreamUsage::heap,
                        Double.NaN),
                result("S3 RSS", streams + "of which outside of the heap", "KiB", usages, StreamUsage::outside, Double.NaN),
                result("S3 left", streams + "heap of retained runs after their end", "KiB", usages,
                        StreamUsage::retained,
                        Double.NaN),
                result("S3 CPU", streams + "the runtime's CPU per second", "ms", usages, StreamUsage::cpu, Double.NaN),
                result("S3 beat", streams + "the runtime's CPU per heartbeat", "us", usages, StreamUsage::heartbeat,
                        Double.NaN));
    }

    private static BenchmarkResult result(String name, String description, String unit, List<StreamUsage> usages,
            Function<StreamUsage, Double> value,
            double limit) {
        return BenchmarkResult.ofValues(name, description, unit, usages.stream().map(value).toList(), 0.5,
                Double.isNaN(limit) ? Goal.NONE : Goal.AT_MOST, limit);
    }

    private StreamUsage measureStreams() {
        Map<String, String> properties = Map.of("waybill.runtime.runs.max-concurrent", Integer.toString(count + WARM_UP));
        try (RuntimeProcess runtime = bench.sample(List.of("-Xms256m", "-XX:+AlwaysPreTouch"), properties)) {
            try (StreamClients clients = new StreamClients(runtime.address(), WARM_UP, Workload.tokens(20, ""))) {
                clients.runFor(bench.slot().multipliedBy(2));
            }
            long heap = JavaHeap.used(runtime.pid());
            long resident = CpuTime.memory(runtime.pid());
            StreamUsage usages;
            try (IdleClients clients = new IdleClients(runtime.address(), count)) {
                clients.awaitOpen(TIMEOUT);
                clients.awaitHeartbeats(TIMEOUT);
                usages = measureIdle(runtime, clients, heap, resident);
                clients.requireAllOpen();
            }
            runtime.awaitIdle(TIMEOUT);
            usages = usages.withRetained((JavaHeap.used(runtime.pid()) - heap) / KIB / count);
            bench.print(
                    "%,d idle streams: %.1f KiB each in the heap, %.1f outside, %.2f after their end; %.0f ms of CPU per second,"
                            + " %.1f us per heartbeat",
                    count, usages.heap(), usages.outside(), usages.retained(), usages.cpu(), usages.heartbeat());
            return usages;
        }
    }

    private StreamUsage measureIdle(RuntimeProcess runtime, IdleClients clients, long heap, long resident) {
        double cpu = CpuTime.of(runtime.pid());
        long heartbeats = clients.heartbeats();
        long startNanos = System.nanoTime();
        Wait.sleep(MEASURED_TIME);
        double used = CpuTime.of(runtime.pid()) - cpu;
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        return new StreamUsage((JavaHeap.used(runtime.pid()) - heap) / KIB / count,
                (CpuTime.memory(runtime.pid()) - resident) / KIB / count, 0,
                used * 1000 / seconds, used * 1e6 / (clients.heartbeats() - heartbeats));
    }

    /**
     * Measurements of one process.
     *
     * @param heap KiB per stream in the heap
     * @param outside KiB per stream outside of the heap
     * @param retained KiB per stream in the heap after the end of the streams
     * @param cpu milliseconds of CPU per second
     * @param heartbeat microseconds of CPU per heartbeat
     */
    private record StreamUsage(double heap, double outside, double retained, double cpu, double heartbeat) {

        double total() {
            return heap + outside;
        }

        StreamUsage withRetained(double kibibytes) {
            return new StreamUsage(heap, outside, kibibytes, cpu, heartbeat);
        }
    }
}
