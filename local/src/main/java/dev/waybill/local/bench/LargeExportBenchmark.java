package dev.waybill.local.bench;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.waybill.local.bench.ExportRunner.Done;
import dev.waybill.local.bench.ExportRunner.Order;
import dev.waybill.local.bench.BenchmarkResult.Pair;

/** P1, P2 and P3: one day of many rows, against what reading and encoding them costs at least, and against the usual pipe. */
final class LargeExportBenchmark {

    private final BenchmarkContext bench;
    private final ExportedRows rows;
    private final ExportRunner exports;
    private final List<Pair> overFloor = new ArrayList<>();
    private final List<Pair> overPipe = new ArrayList<>();
    private final List<Pair> size = new ArrayList<>();

    LargeExportBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.rows = bench.wide();
        this.exports = new ExportRunner(bench, "large");
    }

    List<BenchmarkResult> measure() {
        for (int round = 0; round <= bench.options.pairs(); round++) {
            round(round);
        }
        ExportRunner.delete(bench.folder.resolve("piped.parquet"));
        ExportRunner.delete(bench.folder.resolve("encoded.parquet"));
        return List.of(
                BenchmarkResult.ofPairs("P1", "export: service + PostgreSQL, over binary COPY + DuckDB's encoding of the same rows",
                        overFloor, Pair::ratio, Goal.AT_MOST, 1.2),
                BenchmarkResult.ofPairs("P2", "the same, over " + (CsvPipe.hasPsql() ? "psql" : "pgjdbc (no psql here)")
                        + " CSV COPY piped into DuckDB", overPipe, Pair::ratio, Goal.AT_MOST, 0.7),
                BenchmarkResult.ofPairs("P3", "bytes of the files, over DuckDB's of the same columns", size, Pair::ratio, Goal.AT_MOST,
                        1.02));
    }

    private void round(int round) {
        String url = bench.stack.superuserUrl();
        Path piped = bench.folder.resolve("piped.parquet");
        Path encoded = bench.folder.resolve("encoded.parquet");
        double s3Before = CpuTime.of(bench.stack.s3().pid());
        Done ours = exports.run(new Order(rows.sessionId(), BenchmarkDay.start(), BenchmarkDay.end()));
        double s3 = CpuTime.of(bench.stack.s3().pid()) - s3Before;
        CpuUsage pipe = bench.worker.run("csv", url, rows.csvCopy(), rows.columnsOfCsv("{pipe}"), piped.toString());
        CpuUsage read = bench.worker.run("copy-out", url, rows.fewRows(), rows.binaryCopy());
        CpuUsage encode = bench.worker.run("encode", piped.toString(), encoded.toString());
        bench.say("%s export %.2f (service %.2f, PostgreSQL %.2f; S3 server %.2f apart), floor %.2f (COPY %.2f + %.2f, "
                + "encoding %.2f), pipe %.2f; %,d and %,d bytes", BenchmarkContext.round(round), ours.effort().seconds(),
                ours.effort().program(), ours.effort().postgres(), s3, read.seconds() + encode.seconds(), read.program(),
                read.postgres(), encode.seconds(), pipe.seconds(), ours.effort().bytes(), encode.bytes());
        if (round == 0) {
            requireSameRows(ours.ids().getFirst(), piped);
        } else {
            overFloor.add(new Pair(ours.effort().seconds(), read.seconds() + encode.program()));
            overPipe.add(new Pair(ours.effort().seconds(), pipe.seconds()));
            size.add(new Pair(ours.effort().bytes(), encode.bytes()));
        }
        exports.forget();
    }

    /** A comparison says something only when both did the same. */
    private void requireSameRows(String exportId, Path theirs) {
        Path downloads = bench.folder.resolve("downloads");
        try (DuckDb duckDb = new DuckDb()) {
            List<Path> files = exports.download(exportId, downloads);
            String ours = fingerprint(duckDb, files.stream().map(file -> "'" + file + "'").collect(Collectors.joining(",")));
            if (!ours.equals(fingerprint(duckDb, "'" + theirs + "'"))) {
                throw new IllegalStateException("the export holds other values than DuckDB's file");
            }
            bench.say("        rows, columns and values of both files are the same");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            ExportRunner.delete(downloads);
        }
    }

    private static String fingerprint(DuckDb duckDb, String files) throws SQLException {
        return duckDb.value("SELECT count(*) || ' ' || sum(hash(runs)) FROM read_parquet([" + files
                + "], hive_partitioning = false) AS runs");
    }
}
