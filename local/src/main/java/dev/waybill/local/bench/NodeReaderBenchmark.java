package dev.waybill.local.bench;

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

import dev.waybill.local.bench.ExportRunner.Done;
import dev.waybill.local.bench.ExportRunner.Order;
import dev.waybill.local.bench.BenchmarkResult.Pair;
import dev.waybill.local.client.Json;
import dev.waybill.local.node.NodePrograms;

/** P9 for readers from npm: what our files of some hours cost them, over one that DuckDB wrote of the same rows. */
final class NodeReaderBenchmark {

    /** Of the day: hyparquet holds a whole row group as JavaScript's strings, and DuckDB's are large. */
    private static final int SHARE = 8;
    private static final Map<String, String> WITH_ROOM = Map.of("NODE_OPTIONS", "--max-old-space-size=3000");

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
        Path theirs = bench.folder.resolve("node-readers.parquet");
        Done done = exports.run(new Order(bench.wide().sessionId(), BenchmarkDay.start(), BenchmarkDay.endOf(SHARE)));
        List<Path> ours = exports.download(done.ids().getFirst(), folder);
        bench.worker.run("rewrite", ours.stream().map(file -> "'" + file + "'").collect(Collectors.joining(", ", "[", "]")),
                theirs.toString());
        List<BenchmarkResult> figures = List.of(compare("hyparquet", ours, theirs, done.rows()),
                compare("polars", ours, theirs, done.rows()));
        exports.forget();
        ExportRunner.delete(folder);
        ExportRunner.delete(theirs);
        return figures;
    }

    private BenchmarkResult compare(String reader, List<Path> ours, Path theirs, long rows) {
        List<Pair> scans = new ArrayList<>();
        for (int round = 0; round <= bench.options.pairs(); round++) {
            Pair pair = new Pair(scan(reader, ours, rows), scan(reader, List.of(theirs), rows));
            bench.say("%s %s reads our files %.2f, DuckDB's %.2f", BenchmarkContext.round(round), reader, pair.ours(), pair.theirs());
            if (round > 0) {
                scans.add(pair);
            }
        }
        return BenchmarkResult.ofPairs("P9 " + reader, reader + "'s scan of our files, over one that DuckDB wrote of the same rows",
                scans,
                Pair::ratio, Goal.AT_MOST, 1.05);
    }

    private double scan(String reader, List<Path> files, long rows) {
        Path list = bench.folder.resolve("node-readers.json");
        ArrayNode paths = Json.object().putArray("paths");
        files.forEach(file -> paths.add(file.toAbsolutePath().toString()));
        try {
            Files.writeString(list, paths.toString());
            JsonNode scanned = programs.run(WITH_ROOM, "scan.mjs", reader, list.toString());
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
