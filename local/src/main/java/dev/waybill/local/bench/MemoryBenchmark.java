package dev.waybill.local.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.local.bench.ExportRunner.ExportSpec;
import dev.waybill.local.stack.ServiceKind;

/**
 * P6: measures the peak memory of the export service with the maximum number of concurrent exports, in a new process for each number
 * of rows.
 */
final class MemoryBenchmark {

    private static final int CONCURRENT_EXPORTS = 2;

    private final BenchmarkContext bench;
    private final ExportRunner exports;
    private final List<Double> all = new ArrayList<>();
    private final List<BenchmarkResult> figures = new ArrayList<>();

    MemoryBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.exports = new ExportRunner(bench, "memory");
    }

    List<BenchmarkResult> measure() {
        UUID wide = bench.largeRows().sessionId();
        for (int part : List.of(16, 4, 1)) {
            measure("P6 " + 16 / part + "x", String.format("%,d wide rows", bench.options.rows() / part),
                    new ExportSpec(wide, BenchmarkDay.start(), BenchmarkDay.endOf(part)));
        }
        int fatRows = Math.max(2_000, bench.options.rows() / 20);
        UUID fat = bench.table().addLargeValues("bench-fat", BenchmarkDay.DATE, fatRows);
        measure("P6 fat", String.format("%,d rows, one in 100 with 1 to 8 MB", fatRows),
                new ExportSpec(fat, BenchmarkDay.start(), BenchmarkDay.end()));
        bench.table().remove(fat);
        figures.addFirst(BenchmarkResult.ofValues("P6", "peak resident memory of the export service, two concurrent exports, maximum of",
                "MiB", all, 1, Goal.AT_MOST, 512));
        return figures;
    }

    private void measure(String name, String what, ExportSpec order) {
        bench.restart(ServiceKind.EXPORT, Map.of());
        ExportSpec[] orders = new ExportSpec[CONCURRENT_EXPORTS];
        Arrays.fill(orders, order);
        // Runs twice to detect memory that grows with each export.
        exports.run(orders);
        exports.run(orders);
        double peak = CpuTime.peakMemory(bench.stack.service(ServiceKind.EXPORT).pid()) / (1024.0 * 1024);
        bench.print("memory  %s: %.0f MiB", what, peak);
        exports.deleteFiles();
        all.add(peak);
        figures.add(BenchmarkResult.ofValues(name, what, "MiB", List.of(peak), 0.5, Goal.NONE, 0));
    }
}
