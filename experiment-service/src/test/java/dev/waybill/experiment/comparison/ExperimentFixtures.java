package dev.waybill.experiment.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.experiment.TestUpload;

/** Generates experiments on the same rows with all kinds of scores, missing scores, errors and changed inputs. */
final class ExperimentFixtures {

    private ExperimentFixtures() {
    }

    /** Returns the first {@code rows} rows of the dataset "made". */
    static JsonNode body(String name, int seed, int rows) {
        Random random = new Random(seed);
        TestUpload upload = TestUpload.ofRows(rows).with("experiment_name", name).with("dataset_name", "made");
        for (int i = 0; i < rows; i++) {
            Map<String, Object> row = upload.rowAt(i);
            row.put("row_id", new UUID(0x1234_0000_7000L + i, 0x8000_0000_0000_0000L + i).toString());
            row.put("inputs", Map.of("question", "q" + i + (i % 20 == 7 ? " as " + name + " has it" : "")));
            row.put("actual_outputs", Map.of("answer", name + " says " + i));
            row.put("end_time", String.format(Locale.ROOT, "2026-11-20T08:10:%02d.5Z", 1 + random.nextInt(50)));
            row.put("evaluation_scores", scores(random, seed));
            if (random.nextInt(8) == 0) {
                row.put("error", "=1+1 failed, \"badly\"");
                row.remove("actual_outputs");
            }
        }
        return new ObjectMapper().valueToTree(upload.members());
    }

    private static List<Map<String, Object>> scores(Random random, int seed) {
        List<Map<String, Object>> scores = new ArrayList<>();
        scores.add(Map.of("key", "continuous", "score", random.nextGaussian() + seed));
        scores.add(Map.of("key", "boolean", "score", random.nextInt(4) < seed));
        if (random.nextInt(3) > 0) {
            scores.add(Map.of("key", "graded", "score", 1 + random.nextInt(5)));
            scores.add(Map.of("key", "graded", "score", 1 + random.nextInt(5)));
        }
        scores.add(Map.of("key", "only in " + seed, "score", random.nextInt(2)));
        scores.add(Map.of("key", "label", "value", "good"));
        return scores;
    }
}
