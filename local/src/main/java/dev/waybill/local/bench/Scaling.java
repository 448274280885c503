package dev.waybill.local.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

import dev.waybill.local.bench.Exports.Done;
import dev.waybill.local.bench.Exports.Order;

/**
 * CPU per row of exports of 10^5, 10^6 and 3 * 10^6 rows out of a table ten times as large as the largest. The rows are small,
 * or the table would not fit here, and those of ten sessions lie mixed, as they come in life. It empties the table.
 */
final class Scaling {

    private final Bench bench;

    Scaling(Bench bench) {
        this.bench = bench;
    }

    List<Figure> measure() {
        int most = bench.options.scaledRows();
        bench.say("Loading %,d small rows ...", 10L * most);
        UUID session = bench.table().replaceBySmall("bench-scaled", most);
        Exports exports = new Exports(bench, "scaled");
        List<Figure> figures = new ArrayList<>();
        List<Double> medians = new ArrayList<>();
        exports.run(new Order(session, Day.start(), Day.endOf(3)));
        for (int part : List.of(30, 3, 1)) {
            List<Double> micros = new ArrayList<>();
            // Small ones are repeated, so that all are measured over as many rows.
            int times = Math.min(part, bench.options.pairs() * 2);
            for (int i = 0; i < times; i++) {
                Done done = exports.run(new Order(session, Day.start(), Day.endOf(part)));
                micros.add(done.effort().seconds() * 1e6 / done.rows());
                exports.forget();
            }
            Figure figure = Figure.ofValues("rows " + most / part, String.format("CPU per row of %,d small rows of a table of "
                    + "%,d", most / part, 10L * most), "us", micros, 0.5, Goal.NONE, 0);
            bench.say("scaling %s: %.2f us", figure.what(), figure.value());
            figures.add(figure);
            medians.add(figure.value());
        }
        figures.add(Figure.ofValues("rows", "the dearest row of these over the cheapest", "",
                List.of(Collections.max(medians) / Collections.min(medians)), 0.5, Goal.AT_MOST, 1.15));
        return figures;
    }
}
