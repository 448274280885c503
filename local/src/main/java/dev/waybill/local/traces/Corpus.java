package dev.waybill.local.traces;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import org.jspecify.annotations.Nullable;

import dev.waybill.local.client.Json;
import dev.waybill.local.tour.Sample;

/**
 * Recorded traces that benchmark rows are generated from.
 *
 * @param traces runs by trace, in the recorded order
 * @param vocabulary words of all traces
 */
public record Corpus(List<List<SampleRun>> traces, Vocabulary vocabulary) {

    /** Larger runs are skipped; the others have about 3 KB on average with ids and names. */
    private static final int MAX_RUN_BYTES = 12_000;

    /** @param folder with {@code *.jsonl.gz} files; null selects the samples of the project */
    public static Corpus read(@Nullable Path folder) {
        return of(folder == null ? Sample.all().stream().flatMap(sample -> sample.runs().stream()).map(SampleRun::from)
                : files(folder).flatMap(Corpus::runs));
    }

    public int runs() {
        return traces.stream().mapToInt(List::size).sum();
    }

    private static Corpus of(Stream<SampleRun> runs) {
        Map<UUID, List<SampleRun>> traces = new LinkedHashMap<>();
        runs.filter(run -> run.size() <= MAX_RUN_BYTES)
                .forEach(run -> traces.computeIfAbsent(run.traceId(), _ -> new ArrayList<>()).add(run));
        return new Corpus(List.copyOf(traces.values()), Vocabulary.of(traces.values().stream().flatMap(List::stream)));
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jsonl.gz")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<SampleRun> runs(Path file) {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return lines.lines().map(Json::parse).map(SampleRun::from).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
