package dev.waybill.local.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.local.bench.ExportRunner.Order;
import dev.waybill.local.stack.ServiceKind;

/**
 * P6: the most memory that the export service held at once, in a process of its own for each amount of rows. As many exports
 * run at once as a replica takes.
 */
final class MemoryBenchmark {

    private static final int AT_ONCE = 2;

    private final BenchmarkContext bench;
    private final ExportRunner exports;
    private final List<Double> all = new ArrayList<>();
    private final List<BenchmarkResult> figures = new ArrayList<>();

    MemoryBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.exports = new ExportRunner(bench, "memory");
    }

    List<BenchmarkResult> measure() {
        UUID wide = bench.wide().sessionId();
        for (int part : List.of(16, 4, 1)) {
            measure("P6 " + 16 / part + "x", String.format("%,d wide rows", bench.options.rows() / part),
                    new Order(wide, BenchmarkDay.start(), BenchmarkDay.endOf(part)));
        }
        int fatRows = Math.max(2_000, bench.options.rows() / 20);
        UUID fat = bench.table().addFat("bench-fat", BenchmarkDay.DATE, fatRows);
        measure("P6 fat", String.format("%,d rows, every hundredth of 1 to 8 MB", fatRows),
                new Order(fat, BenchmarkDay.start(), BenchmarkDay.end()));
        bench.table().remove(fat);
        figures.addFirst(BenchmarkResult.ofValues("P6", "peak resident memory of the export service, two exports at once, the most of",
                "MiB", all, 1, Goal.AT_MOST, 512));
        return figures;
    }

    private void measure(String name, String what, Order order) {
        bench.restart(ServiceKind.EXPORT, Map.of());
        Order[] orders = new Order[AT_ONCE];
        Arrays.fill(orders, order);
        // Twice, for memory that grows from export to export.
        exports.run(orders);
        exports.run(orders);
        double peak = CpuTime.peakMemory(bench.stack.service(ServiceKind.EXPORT).pid()) / (1024.0 * 1024);
        bench.say("memory  %s: %.0f MiB", what, peak);
        exports.forget();
        all.add(peak);
        figures.add(BenchmarkResult.ofValues(name, what, "MiB", List.of(peak), 0.5, Goal.NONE, 0));
    }
}
