package dev.waybill.local.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.bench.Figure.Pair;
import dev.waybill.local.client.Bucket;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.tour.ExportRequest;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.Progress;

/** P1, P2 and P3: one day of many rows, against what reading and encoding them costs at least, and against the usual pipe. */
final class LargeExport {

    private static final String PREFIX = "large";

    private final Bench bench;
    private final RowsToExport rows;
    private final List<Pair> overFloor = new ArrayList<>();
    private final List<Pair> overPipe = new ArrayList<>();
    private final List<Pair> size = new ArrayList<>();

    LargeExport(Bench bench) {
        this.bench = bench;
        bench.say("Loading %,d rows ...", bench.options.rows());
        this.rows = new RowsToExport(bench.tenantId,
                bench.table().replace("bench-large", bench.generator(1), bench.options.rows()), "bench-large", Bench.DAY);
    }

    List<Figure> measure() {
        for (int round = 0; round <= bench.options.pairs(); round++) {
            round(round == 0);
        }
        delete(bench.folder.resolve("piped.parquet"));
        delete(bench.folder.resolve("encoded.parquet"));
        return List.of(
                Figure.ofPairs("P1", "export: service + PostgreSQL, over binary COPY + DuckDB's encoding of the same rows",
                        overFloor, Pair::ratio, Goal.AT_MOST, 1.3),
                Figure.ofPairs("P2", "the same, over " + (CsvPipe.hasPsql() ? "psql" : "pgjdbc (no psql here)")
                        + " CSV COPY piped into DuckDB", overPipe, Pair::ratio, Goal.AT_MOST, 0.75),
                Figure.ofPairs("P3", "bytes of the files, over DuckDB's of the same columns", size, Pair::ratio, Goal.AT_MOST,
                        1.02));
    }

    private void round(boolean warmUp) {
        String url = bench.stack.superuserUrl();
        Path piped = bench.folder.resolve("piped.parquet");
        Path encoded = bench.folder.resolve("encoded.parquet");
        double s3Before = CpuTime.of(bench.stack.s3().pid());
        Exported ours = export();
        double s3 = CpuTime.of(bench.stack.s3().pid()) - s3Before;
        Effort pipe = bench.worker.run("csv", url, rows.csvCopy(), rows.columnsOfCsv("{pipe}"), piped.toString());
        Effort read = bench.worker.run("copy-out", url, rows.fewRows(), rows.binaryCopy());
        Effort encode = bench.worker.run("encode", piped.toString(), encoded.toString());
        bench.say("%s export %.2f (service %.2f, PostgreSQL %.2f; S3 server %.2f apart), floor %.2f (COPY %.2f + %.2f, "
                + "encoding %.2f), pipe %.2f; %,d and %,d bytes", warmUp ? "warm-up" : "pair   ", ours.effort().seconds(),
                ours.effort().program(), ours.effort().postgres(), s3, read.seconds() + encode.seconds(), read.program(),
                read.postgres(), encode.seconds(), pipe.seconds(), ours.effort().bytes(), encode.bytes());
        if (warmUp) {
            requireSameRows(ours.id(), piped);
        } else {
            overFloor.add(new Pair(ours.effort().seconds(), read.seconds() + encode.program()));
            overPipe.add(new Pair(ours.effort().seconds(), pipe.seconds()));
            size.add(new Pair(ours.effort().bytes(), encode.bytes()));
        }
        removeExported();
    }

    private Exported export() {
        String destination = bench.destination(PREFIX);
        Stopwatch watch = bench.watch(ServiceKind.EXPORT);
        String id = bench.exporter.start(new ExportRequest(destination, rows.sessionId().toString(),
                Bench.DAY.atStartOfDay(ZoneOffset.UTC).toInstant(),
                Bench.DAY.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant(),
                "v2_beta", "zstandard"));
        JsonNode ended = bench.exporter.awaitEnd(id, Progress.UNSEEN);
        Effort effort = watch.stop(ended.path("progress").path("bytes_exported").longValue());
        if (!ended.path("status").asText().equals("Completed")
                || ended.path("progress").path("rows_exported").longValue() != bench.options.rows()) {
            throw new IllegalStateException("the export came to another end: " + ended + bench.exporter.runs(id));
        }
        return new Exported(id, effort);
    }

    /** A comparison says something only when both did the same. */
    private void requireSameRows(String exportId, Path theirs) {
        Path downloads = bench.folder.resolve("downloads");
        try (Bucket bucket = bench.bucket(); DuckDb duckDb = new DuckDb()) {
            List<Path> files = ExportedFiles.download(bucket, PREFIX, exportId, downloads).files();
            String ours = fingerprint(duckDb, files.stream().map(file -> "'" + file + "'").collect(Collectors.joining(",")));
            if (!ours.equals(fingerprint(duckDb, "'" + theirs + "'"))) {
                throw new IllegalStateException("the export holds other values than DuckDB's file");
            }
            bench.say("        rows, columns and values of both files are the same");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            delete(downloads);
        }
    }

    private static String fingerprint(DuckDb duckDb, String files) throws SQLException {
        return duckDb.value("SELECT count(*) || ' ' || sum(hash(runs)) FROM read_parquet([" + files
                + "], hive_partitioning = false) AS runs");
    }

    private void removeExported() {
        delete(bench.stack.s3().directory().resolve(Stack.BUCKET).resolve(PREFIX));
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Exported(String id, Effort effort) {
    }
}
