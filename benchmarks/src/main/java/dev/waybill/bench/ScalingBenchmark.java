package dev.waybill.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.bench.ExportRunner.ExportResult;
import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.local.traces.TraceDay;

/**
 * Compares the CPU time per row of exports of 10^5, 10^6 and 3 * 10^6 rows from a table of ten times the largest size.
 * The rows are small to limit disk usage, and those of ten sessions are interleaved. Truncates the table.
 */
final class ScalingBenchmark {

    private static final int SMALLEST = 30;
    private static final int MAX_REPETITIONS = 4;

    private final BenchmarkContext bench;

    ScalingBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        int most = bench.options.scaledRows();
        bench.print("Loading %,d small rows ...", 10L * most);
        UUID session = bench.table().replaceWithSmallRuns("bench-scaled", most);
        ExportRunner exports = new ExportRunner(bench, "scaled");
        bench.warmUp().untilCompiled(() -> part(exports, session, SMALLEST));
        Map<Integer, List<Double>> micros = new LinkedHashMap<>();
        // Measures every size in every round, so that changes of the machine affect all sizes equally.
        for (int round = 0; round < bench.options.pairs(); round++) {
            for (int part : List.of(1, 3, SMALLEST)) {
                // Repeats small exports to measure a longer time.
                for (int times = 0; times < Math.min(part, MAX_REPETITIONS); times++) {
                    micros.computeIfAbsent(part, size -> new ArrayList<>()).add(part(exports, session, part));
                }
            }
        }
        List<BenchmarkResult> results = new ArrayList<>();
        micros.forEach((part, observed) -> results.add(BenchmarkResult.ofValues("rows " + most / part, String.format(
                "CPU per row of %,d small rows from a table of %,d", most / part, 10L * most), "us", observed, 0.5, Goal.NONE,
                0)));
        List<Double> medians = results.stream().map(BenchmarkResult::value).toList();
        results.add(BenchmarkResult.ofValues("rows", "most expensive row size over the cheapest", "",
                List.of(Collections.max(medians) / Collections.min(medians)), 0.5, Goal.AT_MOST, 1.15));
        return results;
    }

    /** Returns the CPU microseconds per row for the first of {@code part} equal parts of the session. */
    private static double part(ExportRunner exports, UUID session, int part) {
        ExportResult result = exports.run(new ExportSpec(session, TraceDay.start(), TraceDay.endOf(part)));
        exports.deleteFiles();
        return result.usage().seconds() * 1e6 / result.rows();
    }
}
