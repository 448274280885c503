package dev.waybill.experiment.upload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import dev.waybill.experiment.TestUpload;

/** The body of an upload, generated or real. */
public record ExperimentBody(String name, Supplier<String> content) {

    /** Returns real experiments; src/test/resources/experiments lists their sources. */
    public static Stream<ExperimentBody> real() {
        try (Stream<Path> files = Files.list(Path.of(ExperimentBody.class.getResource("/experiments").toURI()))) {
            return files.filter(file -> file.toString().endsWith(".json.gz")).sorted()
                    .map(file -> new ExperimentBody(file.getFileName().toString(), () -> read(file))).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Generates rows with all members; the same seed generates the same rows. */
    public static ExperimentBody generated(int seed, int rows) {
        return new ExperimentBody(rows + " rows generated with seed " + seed, () -> generate(new Random(seed), rows));
    }

    public String text() {
        return content.get();
    }

    @Override
    public String toString() {
        return name;
    }

    private static String generate(Random random, int rows) {
        TestUpload upload = TestUpload.ofRows(rows).with("summary_experiment_scores",
                List.of(Map.of("key", "verdict", "value", "good"), Map.of("key", "f1", "score", 0.875)));
        for (int i = 0; i < rows; i++) {
            Map<String, Object> row = upload.rowAt(i);
            row.put("start_time", String.format(Locale.ROOT, "2026-11-20T08:00:00.%06d", random.nextInt(1_000_000)));
            row.put("end_time",
                    String.format(Locale.ROOT, "2026-11-20T09:%02d:%02d.%06d+01:00", random.nextInt(60), 1 + random.nextInt(59),
                            random.nextInt(1_000_000)));
            row.put("inputs", Map.of("question", "q" + i, "odd", "\u0000 \ud83d\ude80 \\ \"", "n", random.nextLong()));
            row.put("evaluation_scores", scores(random));
            if (random.nextInt(4) == 0) {
                row.put("error", "failed: \ud83d\ude80");
                row.remove("actual_outputs");
            }
            if (random.nextBoolean()) {
                row.put("run_metadata", Map.of("try", i, "nested", Map.of("a", List.of(1, 2.5, true))));
                row.remove("expected_outputs");
            }
        }
        return upload.json();
    }

    private static List<Map<String, Object>> scores(Random random) {
        List<Map<String, Object>> scores = new ArrayList<>();
        scores.add(Map.of("key", "continuous", "score", random.nextGaussian()));
        scores.add(Map.of("key", "boolean", "score", random.nextBoolean(), "comment", "because \u00e9"));
        if (random.nextBoolean()) {
            Map<String, Object> category = new LinkedHashMap<>();
            category.put("key", "category");
            category.put("value", "label " + random.nextInt(3));
            category.put("feedback_source", Map.of("type", "model", "more", List.of(1)));
            category.put("feedback_config", Map.of("type", "categorical", "categories", List.of(Map.of("value", 1))));
            scores.add(category);
        }
        scores.add(Map.of("key", "no score", "comment", "x"));
        return scores;
    }

    private static String read(Path file) {
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
