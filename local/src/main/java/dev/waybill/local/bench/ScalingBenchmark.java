package dev.waybill.local.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.local.bench.ExportRunner.Done;
import dev.waybill.local.bench.ExportRunner.Order;

/**
 * CPU per row of exports of 10^5, 10^6 and 3 * 10^6 rows out of a table ten times as large as the largest. The rows are small,
 * or the table would not fit here, and those of ten sessions lie mixed, as they come in life. The service is
 * warm and every size is measured in every round, so that none pays for what another begins with. It empties the table.
 */
final class ScalingBenchmark {

    private static final int SMALLEST = 30;
    private static final int SMALL_ONES = 4;

    private final BenchmarkContext bench;

    ScalingBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        int most = bench.options.scaledRows();
        bench.say("Loading %,d small rows ...", 10L * most);
        UUID session = bench.table().replaceBySmall("bench-scaled", most);
        ExportRunner exports = new ExportRunner(bench, "scaled");
        new WarmUp(bench).untilQuiet(() -> part(exports, session, SMALLEST));
        Map<Integer, List<Double>> micros = new LinkedHashMap<>();
        // Each size in each round: what the machine does meanwhile falls on all of them.
        for (int round = 0; round < bench.options.pairs(); round++) {
            for (int part : List.of(1, 3, SMALLEST)) {
                // Small ones are repeated, so that more than a moment is measured.
                for (int times = 0; times < Math.min(part, SMALL_ONES); times++) {
                    micros.computeIfAbsent(part, size -> new ArrayList<>()).add(part(exports, session, part));
                }
            }
        }
        List<BenchmarkResult> figures = new ArrayList<>();
        micros.forEach((part, observed) -> figures.add(BenchmarkResult.ofValues("rows " + most / part, String.format(
                "CPU per row of %,d small rows of a table of %,d", most / part, 10L * most), "us", observed, 0.5, Goal.NONE,
                0)));
        List<Double> medians = figures.stream().map(BenchmarkResult::value).toList();
        figures.add(BenchmarkResult.ofValues("rows", "the dearest row of these over the cheapest", "",
                List.of(Collections.max(medians) / Collections.min(medians)), 0.5, Goal.AT_MOST, 1.15));
        return figures;
    }

    /** @return microseconds of CPU for each row of the session's first n-th */
    private static double part(ExportRunner exports, UUID session, int part) {
        Done done = exports.run(new Order(session, BenchmarkDay.start(), BenchmarkDay.endOf(part)));
        exports.forget();
        return done.effort().seconds() * 1e6 / done.rows();
    }
}
