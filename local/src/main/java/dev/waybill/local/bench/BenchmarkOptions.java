package dev.waybill.local.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;

import org.jspecify.annotations.Nullable;

/**
 * How much is measured.
 *
 * @param rows in the large export
 * @param intakeRows that go through the intake in a pair
 * @param smallExports how many exports of a few rows are timed
 * @param pairs that count; one more runs before them to warm up
 * @param traces folder of other traces than the project's samples
 */
record BenchmarkOptions(int rows, int intakeRows, int smallExports, int pairs, @Nullable Path traces) {

    static final String USAGE = """
            usage: ./verify bench [--quick] [--rows N] [--intake-rows N] [--small-exports N] [--pairs N] [--traces FOLDER]
              --quick   a few minutes' trial; its figures are not those of docs/performance.md""";

    static BenchmarkOptions parse(String[] arguments) {
        BenchmarkOptions options = new BenchmarkOptions(400_000, 40_000, 50, 5, null);
        Iterator<String> left = Arrays.asList(arguments).iterator();
        while (left.hasNext()) {
            options = options.with(left.next(), left);
        }
        return options;
    }

    private BenchmarkOptions with(String option, Iterator<String> left) {
        return switch (option) {
            case "--quick" -> new BenchmarkOptions(40_000, 5_000, 10, 3, traces);
            case "--rows" -> new BenchmarkOptions(number(left), intakeRows, smallExports, pairs, traces);
            case "--intake-rows" -> new BenchmarkOptions(rows, number(left), smallExports, pairs, traces);
            case "--small-exports" -> new BenchmarkOptions(rows, intakeRows, number(left), pairs, traces);
            case "--pairs" -> new BenchmarkOptions(rows, intakeRows, smallExports, number(left), traces);
            case "--traces" -> new BenchmarkOptions(rows, intakeRows, smallExports, pairs, Path.of(left.next()));
            default -> throw new IllegalArgumentException(USAGE);
        };
    }

    private static int number(Iterator<String> left) {
        int number = Integer.parseInt(left.next());
        if (number < 1) {
            throw new IllegalArgumentException(USAGE);
        }
        return number;
    }
}
