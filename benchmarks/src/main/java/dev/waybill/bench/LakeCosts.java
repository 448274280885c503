package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.storage.Folders;
import dev.waybill.local.traces.RunGenerator;

/** Measures what the lake costs: compactions, intake, memory and local disk. */
final class LakeCosts {

    private static final double COMPACTION_RATIO = 1.3;
    private static final double INTAKE_RATIO = 1.03;
    private static final double MEMORY_MIB = 512;
    private static final int INTAKE_WARM_UP_ROUNDS = 3;
    private static final int CACHE_FRACTION = 3;
    private static final int LARGE_ROWS = 2_000_000;
    private static final String TRIGGERS = "ALTER TABLE trace.runs %1$s TRIGGER lake_inserts,"
            + " %1$s TRIGGER lake_updates, %1$s TRIGGER lake_deletes";

    private final BenchmarkContext bench;
    private final LakeDays days;
    private final List<Pair> compactions = new ArrayList<>();
    private final List<Pair> rewrites = new ArrayList<>();
    private final List<BenchmarkResult> results = new ArrayList<>();

    LakeCosts(BenchmarkContext bench, LakeDays days) {
        this.bench = bench;
        this.days = days;
    }

    /** Compares compactions with exports of the same runs, and both with DuckDB that rewrites the files. */
    void measureCompactions() {
        ExportRunner exports = new ExportRunner(bench, "bench-lake-export");
        // The first round of few runs is the warm-up.
        int first = days.rows() < LARGE_ROWS ? 0 : 1;
        int last = days.rows() < LARGE_ROWS ? bench.options.pairs() : 1;
        for (int round = first; round <= last; round++) {
            CpuUsage export = exports.run(new ExportSpec(days.session(), days.start(), days.end())).usage();
            exports.deleteFiles();
            CpuUsage compaction = days.compact();
            double rewriting = rewrite();
            bench.print("%s compaction %.2f (service %.2f, PostgreSQL %.2f), export %.2f (service %.2f, PostgreSQL %.2f), "
                    + "rewriting %.2f; %,d and %,d bytes", BenchmarkContext.round(round), compaction.seconds(),
                    compaction.program(), compaction.postgres(), export.seconds(), export.program(), export.postgres(),
                    rewriting, days.bytes(), export.bytes());
            if (round > 0) {
                compactions.add(new Pair(compaction.seconds(), export.seconds()));
                rewrites.add(new Pair(rewriting, export.seconds()));
            }
        }
        results.add(BenchmarkResult.ofPairs("lake", "CPU of the compaction of all days over an export of the same runs",
                compactions, Pair::ratio, Goal.AT_MOST, COMPACTION_RATIO));
        results.add(BenchmarkResult.ofPairs("lake", "CPU of DuckDB that rewrites the lake's files over an export",
                rewrites, Pair::ratio, Goal.NONE, 0));
        results.add(BenchmarkResult.ofValues("lake", "size of the lake per run", "B",
                List.of((double) days.bytes() / days.rows()), 0.5, Goal.NONE, 0));
    }

    /** Returns the CPU-seconds that DuckDB needs to write the runs as files of an export, one per day. */
    private double rewrite() {
        Path file = bench.folder.resolve("rewritten.parquet");
        long benchmark = ProcessHandle.current().pid();
        try (DuckDb duckDb = new DuckDb()) {
            duckDb.execute("SET threads = 1");
            double before = CpuTime.of(benchmark);
            for (String day : days.paths()) {
                duckDb.execute("COPY (SELECT * FROM read_parquet('" + day + "', hive_partitioning = false) WHERE session_id = '"
                        + days.session() + "') TO '" + file + "' (FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2)");
            }
            return CpuTime.of(benchmark) - before;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            Folders.delete(file);
        }
    }

    /** Compares the memory of two replicas after the same searches. */
    void measureMemory(ServiceProcess reader) {
        double with = mebibytes(CpuTime.peakMemory(reader.pid()));
        double without = mebibytes(CpuTime.peakMemory(bench.stack.service(ServiceKind.EXPERIMENT).pid()));
        bench.print("        peak resident memory %.0f MiB with the lake, %.0f MiB without it", with, without);
        results.add(BenchmarkResult.ofValues("lake", "peak resident memory with the lake minus that without it", "MiB",
                List.of(with - without), 0.5, Goal.AT_MOST, MEMORY_MIB));
    }

    /** Searches all days with a cache that is smaller than the files. */
    void measureCache(LakeSearches searches) {
        Path cache = bench.folder.resolve("lake-small-cache").toAbsolutePath();
        long limit = days.bytes() / CACHE_FRACTION;
        ServiceProcess reader = bench.stack.add(LakeBenchmark.replica("experiment-service-with-small-cache", cache, limit));
        List<Double> shares = new ArrayList<>();
        try {
            reader.start();
            reader.awaitReady();
            for (LakeQuestion question : LakeQuestion.all()) {
                if (question.maxMillis() > 0) {
                    searches.ask(reader, question);
                    shares.add((double) size(cache) / limit);
                }
            }
        } finally {
            reader.stop();
            Folders.delete(cache);
        }
        bench.print("        a cache of a third of the files contained up to %.2f of its limit",
                shares.stream().mapToDouble(Double::doubleValue).max().orElseThrow());
        results.add(
                BenchmarkResult.ofValues("lake", "largest size of a cache for a third of the files over its limit", "", shares,
                        1, Goal.AT_MOST, 1));
    }

    /** Compares intake of current runs with and without the triggers of the lake. */
    void measureIntake() {
        RunSender sender = new RunSender(bench);
        LocalDate today = LocalDate.parse(days.value("SELECT current_date"));
        List<Pair> pairs = new ArrayList<>();
        for (int round = 1 - INTAKE_WARM_UP_ROUNDS; round <= bench.options.pairs(); round++) {
            // Alternates the order, because later runs are more expensive to index.
            boolean[] enabled = round % 2 == 0 ? new boolean[] { true, false } : new boolean[] { false, true };
            double[] seconds = new double[2];
            for (boolean on : enabled) {
                days.execute(TRIGGERS.formatted(on ? "ENABLE" : "DISABLE"));
                days.execute("CHECKPOINT");
                long seed = 7000 + 2L * round + (on ? 1 : 0);
                CpuStopwatch watch = bench.startStopwatch(ServiceKind.EXPERIMENT);
                sender.send("bench-lake-intake", new RunGenerator(bench.corpus, today, seed));
                seconds[on ? 1 : 0] = watch.stop(0).seconds();
            }
            if (round > 0) {
                bench.print("%s intake %.2f with the triggers of the lake, %.2f without", BenchmarkContext.round(round),
                        seconds[1],
                        seconds[0]);
                pairs.add(new Pair(seconds[1], seconds[0]));
            }
        }
        days.execute(TRIGGERS.formatted("ENABLE"));
        results.add(BenchmarkResult.ofPairs("lake", "CPU of intake with the triggers of the lake over intake without", pairs,
                Pair::ratio, Goal.AT_MOST, INTAKE_RATIO));
    }

    List<BenchmarkResult> results() {
        return results;
    }

    private static double mebibytes(long bytes) {
        return bytes / (1024.0 * 1024);
    }

    // PostgreSQL may answer all searches of few runs, then there is no directory.
    private static long size(Path folder) {
        if (!Files.exists(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
