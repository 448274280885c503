package dev.waybill.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.traces.TraceDay;

/**
 * P6: measures the peak memory of the export service with the maximum number of concurrent exports, in a new process
 * for each number of rows.
 */
final class MemoryBenchmark {

    private static final int CONCURRENT_EXPORTS = 2;

    private final BenchmarkContext bench;
    private final ExportRunner exports;
    private final List<Double> all = new ArrayList<>();
    private final List<BenchmarkResult> results = new ArrayList<>();

    MemoryBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.exports = new ExportRunner(bench, "memory");
    }

    List<BenchmarkResult> measure() {
        UUID largeRows = bench.largeRows().sessionId();
        for (int part : List.of(16, 4, 1)) {
            measure("P6 " + 16 / part + "x", String.format("%,d wide rows", bench.options.rows() / part),
                    new ExportSpec(largeRows, TraceDay.start(), TraceDay.endOf(part)));
        }
        int largeValueRows = Math.max(2_000, bench.options.rows() / 20);
        UUID largeValues = bench.table().addLargeValues("bench-fat", TraceDay.DATE, largeValueRows);
        measure("P6 fat", String.format("%,d rows, one in 100 with 1 to 8 MB", largeValueRows),
                new ExportSpec(largeValues, TraceDay.start(), TraceDay.end()));
        bench.table().remove(largeValues);
        results.addFirst(
                BenchmarkResult.ofValues("P6", "peak resident memory of the export service, two concurrent exports, maximum of",
                        "MiB", all, 1, Goal.AT_MOST, 512));
        return results;
    }

    private void measure(String name, String description, ExportSpec spec) {
        bench.restart(ServiceKind.EXPORT, Map.of());
        ExportSpec[] specs = new ExportSpec[CONCURRENT_EXPORTS];
        Arrays.fill(specs, spec);
        // Runs twice to detect memory that grows with each export.
        exports.run(specs);
        exports.run(specs);
        double peak = CpuTime.peakMemory(bench.stack.service(ServiceKind.EXPORT).pid()) / (1024.0 * 1024);
        bench.print("memory  %s: %.0f MiB", description, peak);
        exports.deleteFiles();
        all.add(peak);
        results.add(BenchmarkResult.ofValues(name, description, "MiB", List.of(peak), 0.5, Goal.NONE, 0));
    }
}
