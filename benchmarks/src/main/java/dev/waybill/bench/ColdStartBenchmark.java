package dev.waybill.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.storage.Wait;
import dev.waybill.local.traces.TraceDay;

/** Measures the time from the start of the service's process to the first content of a waiting export. */
final class ColdStartBenchmark {

    private static final double STALLED_RATE = 100;
    private static final double FULL_RATE = 1e9;

    private final BenchmarkContext bench;

    ColdStartBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        List<Double> seconds = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        ServiceProcess service = bench.stack.service(ServiceKind.EXPORT);
        try (ThrottledProxy store = new ThrottledProxy(bench.stack.s3().endpoint(), FULL_RATE)) {
            ExportRunner exports = new ExportRunner(bench, "cold", store.address());
            ExportSpec spec = new ExportSpec(bench.largeRows().sessionId(), TraceDay.start(), TraceDay.endOf(16));
            for (int round = 0; round < bench.options.pairs(); round++) {
                // The stalled store keeps the export running; a regular shutdown releases its run immediately.
                store.setRate(STALLED_RATE);
                UUID id = exports.start(spec);
                Wait.sleep(Duration.ofMillis(500));
                service.stop();
                store.setRate(FULL_RATE);
                store.resetContentTime();
                long startNanos = System.nanoTime();
                service.start(Map.of());
                while (store.firstContentNanos() == Long.MAX_VALUE) {
                    Wait.sleep(Duration.ofMillis(1));
                }
                seconds.add((store.firstContentNanos() - startNanos) / 1e9);
                cpu.add(CpuTime.of(service.pid()));
                service.awaitReady();
                exports.awaitCompleted(id);
                exports.deleteFiles();
            }
        }
        return List.of(
                BenchmarkResult.ofValues("cold", "time from process start to the first content of a waiting export", "s",
                        seconds,
                        0.5, Goal.NONE, 0),
                BenchmarkResult.ofValues("cold CPU", "CPU-seconds of the service until then", "s", cpu, 0.5, Goal.NONE, 0));
    }
}
