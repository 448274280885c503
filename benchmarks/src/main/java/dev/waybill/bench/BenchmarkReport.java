package dev.waybill.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;

/** Prints the results as a table and writes them to a JSON file. */
record BenchmarkReport(BenchmarkOptions options, List<BenchmarkResult> results) {

    void publish(PrintStream out, Path folder) {
        out.println();
        results.forEach(result -> out.println(result.line()));
        Path file = folder.resolve("result.json");
        try {
            Files.createDirectories(folder);
            Files.writeString(file, toJson().toPrettyString() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println(
                "\nRatios of CPU-seconds unless a unit is given; medians of pairs with lowest and highest values. " + file);
    }

    private ObjectNode toJson() {
        ObjectNode json = Json.object().put("measured_at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        json.putObject("machine")
                .put("processors", Runtime.getRuntime().availableProcessors())
                .put("architecture", System.getProperty("os.arch"))
                .put("java", Runtime.version().toString());
        json.putObject("options")
                .put("rows", options.rows())
                .put("scaled_rows", options.scaledRows())
                .put("intake_rows", options.intakeRows())
                .put("upload_rows", options.uploadRows())
                .put("small_exports", options.smallExports())
                .put("stream_seconds", options.streamSeconds())
                .put("idle_streams", options.idleStreams())
                .put("pairs", options.pairs());
        ArrayNode all = json.putArray("figures");
        results.forEach(result -> all.add(result.toJson()));
        return json;
    }
}
