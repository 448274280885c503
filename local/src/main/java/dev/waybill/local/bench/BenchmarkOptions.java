package dev.waybill.local.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** How much is measured, and what. */
public final class BenchmarkOptions {

    static final String USAGE = """
            usage: ./verify bench [--quick] [--only P4,P5,...] [--rows N] [--scaled-rows N] [--intake-rows N]
                                  [--upload-rows N] [--compared-rows N] [--small-exports N] [--stream-seconds N]
                                  [--idle-streams N] [--rest-seconds N] [--pairs N] [--traces FOLDER]
              --quick   a few minutes' trial; its figures are not those of docs/performance.md
              --only    of intake, U1, comparison, clients, P1 (with P2 and P3), P4, P5, P6, P7, P8, P9, P9npm, P10, cold, rows,
                S1, S2, S3, S4, C1, C2, start, size""";

    private int rows = 400_000;
    private int scaledRows = 3_000_000;
    private int intakeRows = 40_000;
    private int uploadRows = 40_000;
    private int comparedRows = 50_000;
    private int clientSeconds = 60;
    private int smallExports = 50;
    private int streamSeconds = 5;
    private int idleStreams = 10_000;
    private int restSeconds = 60;
    private int pairs = 5;
    private List<String> only = List.of();
    private @Nullable Path traces;

    private BenchmarkOptions() {
    }

    static BenchmarkOptions parse(String... arguments) {
        BenchmarkOptions options = new BenchmarkOptions();
        Iterator<String> left = Arrays.asList(arguments).iterator();
        while (left.hasNext()) {
            options.take(left.next(), left);
        }
        return options;
    }

    private void take(String option, Iterator<String> left) {
        switch (option) {
            case "--quick" -> {
                rows = 40_000;
                scaledRows = 300_000;
                intakeRows = 5_000;
                uploadRows = 10_000;
                comparedRows = 10_000;
                clientSeconds = 20;
                smallExports = 10;
                streamSeconds = 2;
                restSeconds = 15;
                pairs = 3;
            }
            case "--only" -> only = Arrays.stream(value(left).toUpperCase(Locale.ROOT).split(",")).map(String::strip).toList();
            case "--rows" -> rows = number(left);
            case "--scaled-rows" -> scaledRows = number(left);
            case "--intake-rows" -> intakeRows = number(left);
            case "--upload-rows" -> uploadRows = number(left);
            case "--compared-rows" -> comparedRows = number(left);
            case "--small-exports" -> smallExports = number(left);
            case "--stream-seconds" -> streamSeconds = number(left);
            case "--idle-streams" -> idleStreams = number(left);
            case "--rest-seconds" -> restSeconds = number(left);
            case "--pairs" -> pairs = number(left);
            case "--traces" -> traces = Path.of(value(left));
            default -> throw new IllegalArgumentException(USAGE);
        }
    }

    /** @return whether the figure of that name is asked for */
    public boolean wants(String name) {
        return only.isEmpty() || only.contains(name.toUpperCase(Locale.ROOT));
    }

    /** @return in the large export */
    int rows() {
        return rows;
    }

    /** @return in the largest export out of a table ten times as large */
    int scaledRows() {
        return scaledRows;
    }

    /** @return that go through the intake in a pair */
    int intakeRows() {
        return intakeRows;
    }

    /** @return that are uploaded in a pair, as experiments of either size */
    int uploadRows() {
        return uploadRows;
    }

    /** @return in each of the experiments that are compared */
    int comparedRows() {
        return comparedRows;
    }

    /** @return for how long many clients send at once */
    int clientSeconds() {
        return clientSeconds;
    }

    /** @return how many exports of a few rows are timed */
    int smallExports() {
        return smallExports;
    }

    /** @return for how long clients stream runs from one server in a pair */
    public int streamSeconds() {
        return streamSeconds;
    }

    /** @return how many streams are held open that say nothing */
    public int idleStreams() {
        return idleStreams;
    }

    /** @return for how long it is counted what deployments take that nobody asks anything of */
    public int restSeconds() {
        return restSeconds;
    }

    /** @return how many count; one more runs before them to warm up */
    public int pairs() {
        return pairs;
    }

    /** @return the folder of other traces than the project's samples */
    @Nullable
    Path traces() {
        return traces;
    }

    private static int number(Iterator<String> left) {
        try {
            int number = Integer.parseInt(value(left));
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw new IllegalArgumentException(USAGE);
    }

    private static String value(Iterator<String> left) {
        if (!left.hasNext()) {
            throw new IllegalArgumentException(USAGE);
        }
        return left.next();
    }
}
