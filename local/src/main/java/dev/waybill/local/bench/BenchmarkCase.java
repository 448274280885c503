package dev.waybill.local.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Something that is measured by itself.
 *
 * @param name by which it is asked for
 * @param <G> what it stands on
 */
public record BenchmarkCase<G>(String name, Function<G, List<BenchmarkResult>> figures) {

    /** Measures one after the other what the options ask for. */
    public static <G> List<BenchmarkResult> all(List<BenchmarkCase<G>> measures, G ground, BenchmarkOptions options, PrintStream out) {
        List<BenchmarkResult> figures = new ArrayList<>();
        for (BenchmarkCase<G> measure : measures) {
            if (options.wants(measure.name())) {
                long began = System.nanoTime();
                try {
                    figures.addAll(measure.figures().apply(ground));
                } catch (RuntimeException e) {
                    // The others took long, too, and stand for themselves.
                    out.printf("%s could not be measured: %s%n", measure.name(), e);
                    figures.add(BenchmarkResult.missing(measure.name(), e.toString()));
                }
                out.printf("        %s took %d s%n", measure.name(), (System.nanoTime() - began) / 1_000_000_000);
            }
        }
        return figures;
    }
}
