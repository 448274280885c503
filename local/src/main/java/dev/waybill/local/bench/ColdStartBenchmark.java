package dev.waybill.local.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.waybill.local.bench.ExportRunner.Order;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;

/** How long the service takes from the start of its process to the first content of an export that waits for it. */
final class ColdStartBenchmark {

    private static final double STANDING = 100;
    private static final double FAST = 1e9;

    private final BenchmarkContext bench;

    ColdStartBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        List<Double> seconds = new ArrayList<>();
        List<Double> effort = new ArrayList<>();
        ServiceProcess service = bench.stack.service(ServiceKind.EXPORT);
        try (ThrottledProxy store = new ThrottledProxy(bench.stack.s3().endpoint(), FAST)) {
            ExportRunner exports = new ExportRunner(bench, "cold", store.address());
            Order order = new Order(bench.wide().sessionId(), BenchmarkDay.start(), BenchmarkDay.endOf(16));
            for (int round = 0; round < bench.options.pairs(); round++) {
                // It waits because the store stands still; when the service ends in order, the run is anybody's at once.
                store.speed(STANDING);
                String id = exports.start(order);
                pause(500);
                service.stop();
                store.speed(FAST);
                store.forgetContent();
                long began = System.nanoTime();
                service.start(Map.of());
                while (store.contentSince() == Long.MAX_VALUE) {
                    pause(1);
                }
                seconds.add((store.contentSince() - began) / 1e9);
                effort.add(CpuTime.of(service.pid()));
                service.awaitReady();
                exports.awaitCompleted(id);
                exports.forget();
            }
        }
        return List.of(
                BenchmarkResult.ofValues("cold", "from the start of the process to the first content of a waiting export", "s", seconds,
                        0.5, Goal.NONE, 0),
                BenchmarkResult.ofValues("cold CPU", "the service's CPU-seconds until then", "s", effort, 0.5, Goal.NONE, 0));
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
