package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.bench.BenchmarkResult.Pair;
import dev.waybill.local.stack.ServiceKind;

/**
 * U1: compares the CPU time of experiment uploads with COPY of the same rows into tables with the same indexes, and
 * with one INSERT per row.
 */
final class UploadBenchmark {

    private static final Map<String, String> TABLES = Map.of(
            "examples", "SELECT * FROM trace.examples WHERE dataset_id = '%2$s'",
            "runs", "SELECT * FROM trace.runs WHERE session_id = '%1$s'",
            "feedback", "SELECT * FROM trace.feedback WHERE session_id = '%1$s'");
    private static final int ROWS_ONE_BY_ONE = 500;

    private final BenchmarkContext bench;
    private final List<BenchmarkResult> results = new ArrayList<>();

    UploadBenchmark(BenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        try (BaselineTables copied = tables("bench_copied"); BaselineTables _ = tables("bench_single")) {
            bench.table().disableAutovacuum();
            measure("U1 1k", 1_000, copied);
            measure("U1 10k", 10_000, copied);
        }
        return results;
    }

    private BaselineTables tables(String schema) {
        return new BaselineTables(bench.stack.superuserUrl(), schema, TABLES.keySet().toArray(String[]::new));
    }

    private void measure(String name, int rows, BaselineTables copied) {
        List<Pair> copies = new ArrayList<>();
        List<Pair> singles = new ArrayList<>();
        int uploads = Math.max(1, bench.options.uploadRows() / rows);
        for (int round = 0; round <= bench.options.pairs(); round++) {
            ExperimentGenerator generator = new ExperimentGenerator(bench.generator(5000 + rows + round));
            List<byte[]> bodies = new ArrayList<>();
            for (int i = 0; i < uploads; i++) {
                bodies.add(generator.body(name + " " + round + " " + i, rows));
            }
            copied.execute("CHECKPOINT");
            CpuStopwatch watch = bench.startStopwatch(ServiceKind.EXPERIMENT);
            List<JsonNode> responses = bodies.stream().map(this::upload).toList();
            CpuUsage waybill = watch.stop(0);
            CpuUsage reference = copy(copied, responses, rows);
            CpuUsage oneByOne = insert(responses.getFirst());
            double perRow = waybill.seconds() / (uploads * rows);
            bench.print("%s %s, %.0f KB per body: upload %.2f (service %.2f, PostgreSQL %.2f), COPY FROM %.2f (client %.2f,"
                    + " PostgreSQL %.2f), %d rows one by one %.2f (client %.2f, PostgreSQL %.2f)",
                    BenchmarkContext.round(round), name,
                    bodies.getFirst().length / 1024.0, waybill.seconds(), waybill.program(), waybill.postgres(),
                    reference.seconds(),
                    reference.program(), reference.postgres(), ROWS_ONE_BY_ONE, oneByOne.seconds(), oneByOne.program(),
                    oneByOne.postgres());
            if (round > 0) {
                copies.add(new Pair(waybill.seconds(), reference.seconds()));
                singles.add(new Pair(perRow, oneByOne.seconds() / ROWS_ONE_BY_ONE));
            }
        }
        results.add(
                BenchmarkResult.ofPairs(name,
                        String.format("rows per CPU-second in uploads of %,d rows, over COPY FROM of the same rows",
                                rows),
                        copies, pair -> pair.reference() / pair.waybill(), Goal.AT_LEAST, 0.3));
        results.add(BenchmarkResult.ofPairs(name + " single", "the same, over one INSERT statement per row", singles,
                pair -> pair.reference() / pair.waybill(), Goal.AT_LEAST, 10));
    }

    private JsonNode upload(byte[] body) {
        URI service = bench.stack.service(ServiceKind.EXPERIMENT).address();
        return bench.client.json().post(service.resolve("/api/v1/datasets/upload-experiment"), body);
    }

    /** Copies the rows of each upload in one transaction. */
    private CpuUsage copy(BaselineTables copied, List<JsonNode> responses, int rows) {
        List<String> arguments = new ArrayList<>(List.of(bench.stack.superuserUrl()));
        List<Path> files = new ArrayList<>();
        for (JsonNode response : responses) {
            TABLES.forEach((table, query) -> {
                Path file = bench.folder.resolve("upload-" + files.size() + ".rows");
                long saved = copied.save(of(response, query), file);
                if (saved != (table.equals("feedback") ? 2L : 1L) * rows) {
                    throw new IllegalStateException(saved + " rows were stored");
                }
                files.add(file);
                arguments.add(copied.copyIn(table));
                arguments.add(file.toString());
            });
        }
        copied.execute("CHECKPOINT");
        CpuUsage usage = bench.worker.run("copy-sets", arguments.toArray(String[]::new));
        files.forEach(UploadBenchmark::delete);
        return usage;
    }

    private CpuUsage insert(JsonNode response) {
        List<String> arguments = new ArrayList<>(List.of(bench.stack.superuserUrl()));
        TABLES.forEach((table, query) -> {
            arguments.add(of(response, query) + " LIMIT " + (table.equals("feedback") ? 2 : 1) * ROWS_ONE_BY_ONE);
            arguments.add("bench_single." + table);
        });
        return bench.worker.run("insert-each", arguments.toArray(String[]::new));
    }

    private static String of(JsonNode response, String query) {
        return query.formatted(response.at("/experiment/id").textValue(), response.at("/dataset/id").textValue());
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
