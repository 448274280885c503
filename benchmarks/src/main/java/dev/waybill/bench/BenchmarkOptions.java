package dev.waybill.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** Command-line options of the benchmarks. */
public final class BenchmarkOptions {

    static final String USAGE = """
            usage: ./verify bench [--quick] [--only P4,P5,...] [--rows N] [--scaled-rows N] [--intake-rows N]
                                  [--upload-rows N] [--compared-rows N] [--small-exports N] [--stream-seconds N]
                                  [--idle-streams N] [--rest-seconds N] [--client-seconds N] [--lake-rows N]
                                  [--postgres-rounds N] [--pairs N] [--traces FOLDER]
              --quick   a trial of a few minutes; its results are not comparable with docs/performance.md
              --only    one or more of intake, U1, comparison, console, console-lists, clients, P1 (with P2 and P3), P4, P5, P6,
                P7, P8, P9, P9npm, P10, cold, lake, rows, S1, S2, S3, S4, T1 (with T2), T3, C1, C2, start, size""";

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
    private int lakeRows = 200_000;
    private int postgresRounds = 1;
    private int pairs = 5;
    private List<String> only = List.of();
    private @Nullable Path traces;

    private BenchmarkOptions() {
    }

    static BenchmarkOptions parse(String... arguments) {
        BenchmarkOptions options = new BenchmarkOptions();
        Iterator<String> remaining = Arrays.asList(arguments).iterator();
        while (remaining.hasNext()) {
            options.parseOption(remaining.next(), remaining);
        }
        return options;
    }

    private void parseOption(String option, Iterator<String> remaining) {
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
                lakeRows = 20_000;
                pairs = 3;
            }
            case "--only" ->
                only = Arrays.stream(value(remaining).toUpperCase(Locale.ROOT).split(",")).map(String::strip).toList();
            case "--rows" -> rows = number(remaining);
            case "--scaled-rows" -> scaledRows = number(remaining);
            case "--intake-rows" -> intakeRows = number(remaining);
            case "--upload-rows" -> uploadRows = number(remaining);
            case "--compared-rows" -> comparedRows = number(remaining);
            case "--small-exports" -> smallExports = number(remaining);
            case "--stream-seconds" -> streamSeconds = number(remaining);
            case "--idle-streams" -> idleStreams = number(remaining);
            case "--rest-seconds" -> restSeconds = number(remaining);
            case "--client-seconds" -> clientSeconds = number(remaining);
            case "--lake-rows" -> lakeRows = number(remaining);
            case "--postgres-rounds" -> postgresRounds = number(remaining, 0);
            case "--pairs" -> pairs = number(remaining);
            case "--traces" -> traces = Path.of(value(remaining));
            default -> throw new IllegalArgumentException(USAGE);
        }
    }

    /** Returns whether the benchmark with this name is selected. */
    public boolean includes(String name) {
        return only.isEmpty() || only.contains(name.toUpperCase(Locale.ROOT));
    }

    /** Returns the number of rows of the large export. */
    int rows() {
        return rows;
    }

    /** Returns the number of rows of the largest export from a table of ten times that size. */
    int scaledRows() {
        return scaledRows;
    }

    /** Returns the number of rows sent to intake per pair. */
    int intakeRows() {
        return intakeRows;
    }

    /** Returns the number of rows uploaded per pair and experiment size. */
    int uploadRows() {
        return uploadRows;
    }

    /** Returns the number of rows of each compared experiment. */
    int comparedRows() {
        return comparedRows;
    }

    /** Returns the duration in seconds for which many clients send concurrently. */
    int clientSeconds() {
        return clientSeconds;
    }

    /** Returns the number of small exports that are timed. */
    int smallExports() {
        return smallExports;
    }

    /** Returns the duration in seconds for which clients stream runs from one server per pair. */
    public int streamSeconds() {
        return streamSeconds;
    }

    /** Returns the number of open idle streams. */
    public int idleStreams() {
        return idleStreams;
    }

    /** Returns the duration in seconds for which the CPU time of idle deployments is measured. */
    public int restSeconds() {
        return restSeconds;
    }

    /** Returns the number of runs that are searched in the lake and in PostgreSQL. */
    int lakeRows() {
        return lakeRows;
    }

    /** Returns the number of rounds in which runs are searched in PostgreSQL; 0 for many runs, which take minutes. */
    int postgresRounds() {
        return postgresRounds;
    }

    /** Returns the number of measured pairs, in addition to one warm-up pair. */
    public int pairs() {
        return pairs;
    }

    /** Returns the folder with traces to use instead of the project's samples. */
    @Nullable
    Path traces() {
        return traces;
    }

    private static int number(Iterator<String> remaining) {
        return number(remaining, 1);
    }

    private static int number(Iterator<String> remaining, int min) {
        try {
            int number = Integer.parseInt(value(remaining));
            if (number >= min) {
                return number;
            }
        } catch (NumberFormatException _) {
            // The usage is printed below.
        }
        throw new IllegalArgumentException(USAGE);
    }

    private static String value(Iterator<String> remaining) {
        if (!remaining.hasNext()) {
            throw new IllegalArgumentException(USAGE);
        }
        return remaining.next();
    }
}
