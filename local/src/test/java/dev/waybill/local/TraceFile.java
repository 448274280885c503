package dev.waybill.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.local.client.Json;

/**
 * Recorded traces, one run per line, for a session with the file's name. Lines are parsed on demand, because the JSON trees of
 * larger files exceed a test's memory.
 */
record TraceFile(String name, List<String> lines) {

    private static final Path SAMPLES = RunningStack.root().resolve("local/src/main/resources/samples");
    private static final Path LARGER = RunningStack.root().resolve("../shared/data/traces");

    /** Returns the samples of the project. */
    static List<TraceFile> samples() {
        return in(SAMPLES);
    }

    /** Returns the complete traces from which the samples were selected, if they exist beside the project. */
    static List<TraceFile> larger() {
        return Files.isDirectory(LARGER) ? in(LARGER) : List.of();
    }

    Stream<JsonNode> runs() {
        return lines.stream().map(this::run);
    }

    /** Parses a line as the run that was sent. */
    JsonNode run(String line) {
        return ((ObjectNode) Json.parse(line)).put("session_name", name);
    }

    Instant firstStart() {
        return starts().min(Comparator.naturalOrder()).orElseThrow();
    }

    Instant lastStart() {
        return starts().max(Comparator.naturalOrder()).orElseThrow();
    }

    @Override
    public String toString() {
        return name;
    }

    private Stream<Instant> starts() {
        return runs().map(run -> Instant.parse(run.get("start_time").textValue()));
    }

    private static List<TraceFile> in(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jsonl.gz")).sorted().map(TraceFile::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TraceFile read(Path file) {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return new TraceFile(file.getFileName().toString().replace(".jsonl.gz", ""), lines.lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
