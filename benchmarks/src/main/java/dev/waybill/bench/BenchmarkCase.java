package dev.waybill.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A benchmark that can be selected by name.
 *
 * @param name name in the option {@code --only}
 * @param <G> type of the context
 */
public record BenchmarkCase<G>(String name, Function<G, List<BenchmarkResult>> run) {

    /** Runs the selected benchmarks one after the other. */
    public static <G> List<BenchmarkResult> runSelected(List<BenchmarkCase<G>> cases, G context, BenchmarkOptions options,
            PrintStream out) {
        List<BenchmarkResult> results = new ArrayList<>();
        for (BenchmarkCase<G> benchmark : cases) {
            if (options.includes(benchmark.name())) {
                long startNanos = System.nanoTime();
                try {
                    results.addAll(benchmark.run().apply(context));
                } catch (RuntimeException e) {
                    // A failure does not discard the results of other benchmarks.
                    out.printf("%s could not be measured: %s%n", benchmark.name(), e);
                    results.add(BenchmarkResult.missing(benchmark.name(), e.toString()));
                }
                out.printf("        %s took %d s%n", benchmark.name(), (System.nanoTime() - startNanos) / 1_000_000_000);
            }
        }
        return results;
    }
}
