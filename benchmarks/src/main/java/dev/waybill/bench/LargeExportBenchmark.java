package dev.waybill.bench;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.ExportRunner.ExportResult;
import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.storage.Folders;
import dev.waybill.local.traces.TraceDay;

/**
 * P1, P2 and P3: compares the export of one large day with plain reading and encoding, and with CSV piped into DuckDB.
 */
final class LargeExportBenchmark {

    private final BenchmarkContext bench;
    private final ExportedRows rows;
    private final ExportRunner exports;
    private final List<Pair> overBaseline = new ArrayList<>();
    private final List<Pair> overPipe = new ArrayList<>();
    private final List<Pair> size = new ArrayList<>();

    LargeExportBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.rows = bench.largeRows();
        this.exports = new ExportRunner(bench, "large");
    }

    List<BenchmarkResult> measure() {
        for (int round = 0; round <= bench.options.pairs(); round++) {
            round(round);
        }
        Folders.delete(bench.folder.resolve("piped.parquet"));
        Folders.delete(bench.folder.resolve("encoded.parquet"));
        return List.of(
                BenchmarkResult.ofPairs("P1",
                        "export: service + PostgreSQL, over binary COPY + DuckDB's encoding of the same rows",
                        overBaseline, Pair::ratio, Goal.AT_MOST, 1.2),
                BenchmarkResult.ofPairs("P2", "the same, over " + (CsvPipe.hasPsql() ? "psql" : "pgjdbc (no psql here)")
                        + " CSV COPY piped into DuckDB", overPipe, Pair::ratio, Goal.AT_MOST, 0.7),
                BenchmarkResult.ofPairs("P3", "bytes of the files, over DuckDB's of the same columns", size, Pair::ratio,
                        Goal.AT_MOST,
                        1.02));
    }

    private void round(int round) {
        String url = bench.stack.superuserUrl();
        Path piped = bench.folder.resolve("piped.parquet");
        Path encoded = bench.folder.resolve("encoded.parquet");
        double s3Before = CpuTime.of(bench.stack.s3().pid());
        ExportResult waybill = exports.run(new ExportSpec(rows.sessionId(), TraceDay.start(), TraceDay.end()));
        double s3 = CpuTime.of(bench.stack.s3().pid()) - s3Before;
        CpuUsage pipe = bench.worker.run("csv", url, rows.csvCopy(), rows.columnsOfCsv("{pipe}"), piped.toString());
        CpuUsage read = bench.worker.run("copy-out", url, rows.fewRows(), rows.binaryCopy());
        CpuUsage encode = bench.worker.run("encode", piped.toString(), encoded.toString());
        bench.print(
                "%s export %.2f (service %.2f, PostgreSQL %.2f; S3 server %.2f, not included), baseline %.2f (COPY %.2f + %.2f, "
                        + "encoding %.2f), pipe %.2f; %,d and %,d bytes",
                BenchmarkContext.round(round), waybill.usage().seconds(),
                waybill.usage().program(), waybill.usage().postgres(), s3, read.seconds() + encode.seconds(), read.program(),
                read.postgres(), encode.seconds(), pipe.seconds(), waybill.usage().bytes(), encode.bytes());
        if (round == 0) {
            assertSameRows(waybill.ids().getFirst(), piped);
        } else {
            overBaseline.add(new Pair(waybill.usage().seconds(), read.seconds() + encode.program()));
            overPipe.add(new Pair(waybill.usage().seconds(), pipe.seconds()));
            size.add(new Pair(waybill.usage().bytes(), encode.bytes()));
        }
        exports.deleteFiles();
    }

    /** Verifies that the export and DuckDB wrote the same values. */
    private void assertSameRows(UUID exportId, Path reference) {
        Path downloads = bench.folder.resolve("downloads");
        try (DuckDb duckDb = new DuckDb()) {
            List<Path> files = exports.download(exportId, downloads);
            String waybill = fingerprint(duckDb, files.stream().map(file -> "'" + file + "'").collect(Collectors.joining(",")));
            if (!waybill.equals(fingerprint(duckDb, "'" + reference + "'"))) {
                throw new IllegalStateException("the values of the export and of DuckDB's file differ");
            }
            bench.print("        rows, columns and values of both files are the same");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            Folders.delete(downloads);
        }
    }

    private static String fingerprint(DuckDb duckDb, String files) throws SQLException {
        return duckDb.value("SELECT count(*) || ' ' || sum(hash(runs)) FROM read_parquet([" + files
                + "], hive_partitioning = false) AS runs");
    }
}
