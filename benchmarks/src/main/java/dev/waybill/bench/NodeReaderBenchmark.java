package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.bench.ExportRunner.ExportResult;
import dev.waybill.bench.ExportRunner.ExportSpec;
import dev.waybill.local.client.Json;
import dev.waybill.local.node.NodePrograms;
import dev.waybill.local.storage.Folders;
import dev.waybill.local.traces.TraceDay;

/** P9 for npm readers: compares reading exported files with reading a file that DuckDB wrote from the same rows. */
final class NodeReaderBenchmark {

    /** Fraction of the day: hyparquet holds a complete row group in memory, and DuckDB's row groups are large. */
    private static final int SHARE = 8;
    private static final Map<String, String> LARGE_HEAP = Map.of("NODE_OPTIONS", "--max-old-space-size=3000");

    private final BenchmarkContext bench;
    private final NodePrograms programs;

    NodeReaderBenchmark(BenchmarkContext bench) {
        this.bench = bench;
        this.programs = new NodePrograms(
                Path.of(System.getProperty("waybill.root", "")).toAbsolutePath().resolve("local/src/test/node"),
                bench.folder.resolve("node"), 1800);
    }

    List<BenchmarkResult> measure() {
        ExportRunner exports = new ExportRunner(bench, "node-readers");
        Path folder = bench.folder.resolve("node-readers");
        Path reference = bench.folder.resolve("node-readers.parquet");
        ExportResult result = exports
                .run(new ExportSpec(bench.largeRows().sessionId(), TraceDay.start(), TraceDay.endOf(SHARE)));
        List<Path> waybill = exports.download(result.ids().getFirst(), folder);
        bench.worker.run("rewrite", waybill.stream().map(file -> "'" + file + "'").collect(Collectors.joining(", ", "[", "]")),
                reference.toString());
        List<BenchmarkResult> results = List.of(compare("hyparquet", waybill, reference, result.rows()),
                compare("polars", waybill, reference, result.rows()));
        exports.deleteFiles();
        Folders.delete(folder);
        Folders.delete(reference);
        return results;
    }

    private BenchmarkResult compare(String reader, List<Path> waybill, Path reference, long rows) {
        List<Pair> scans = new ArrayList<>();
        for (int round = 0; round <= bench.options.pairs(); round++) {
            Pair pair = new Pair(scan(reader, waybill, rows), scan(reader, List.of(reference), rows));
            bench.print("%s %s reads exported files %.2f, DuckDB's %.2f", BenchmarkContext.round(round), reader, pair.waybill(),
                    pair.reference());
            if (round > 0) {
                scans.add(pair);
            }
        }
        return BenchmarkResult.ofPairs("P9 " + reader,
                reader + "'s scan of exported files, over DuckDB's file of the same rows",
                scans,
                Pair::ratio, Goal.AT_MOST, 1.05);
    }

    private double scan(String reader, List<Path> files, long rows) {
        Path list = bench.folder.resolve("node-readers.json");
        ArrayNode paths = Json.object().putArray("paths");
        files.forEach(file -> paths.add(file.toAbsolutePath().toString()));
        try {
            Files.writeString(list, paths.toString());
            JsonNode scanned = programs.run(LARGE_HEAP, "scan.mjs", reader, list.toString());
            if (scanned.required("rows").longValue() != rows) {
                throw new IllegalStateException(reader + " read " + scanned + " of " + rows + " rows");
            }
            return scanned.required("seconds").doubleValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
