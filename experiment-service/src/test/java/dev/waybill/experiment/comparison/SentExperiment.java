package dev.waybill.experiment.comparison;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;

/** An uploaded experiment and the body that was sent. */
record SentExperiment(String id, JsonNode body, Map<String, JsonNode> rows) {

    SentExperiment(String id, JsonNode body) {
        this(id, body, new LinkedHashMap<>());
        body.get("results").forEach(row -> rows.put(row.get("row_id").asText(), row));
    }

    Set<String> keys() {
        Set<String> keys = new TreeSet<>();
        rows.values().forEach(row -> row.path("evaluation_scores").forEach(score -> {
            if (score.hasNonNull("score")) {
                keys.add(score.get("key").asText());
            }
        }));
        return keys;
    }

    /** Returns scores by row id; the average if a row has several scores of the key. */
    Map<String, Double> scores(String key) {
        Map<String, Double> scores = new TreeMap<>();
        rows.forEach((id, row) -> {
            List<Double> actual = new ArrayList<>();
            row.path("evaluation_scores").forEach(score -> {
                if (score.get("key").asText().equals(key) && score.hasNonNull("score")) {
                    JsonNode value = score.get("score");
                    actual.add(value.isBoolean() ? value.asBoolean() ? 1.0 : 0.0 : value.asDouble());
                }
            });
            if (!actual.isEmpty()) {
                scores.put(id, actual.stream().mapToDouble(one -> one).average().orElseThrow());
            }
        });
        return scores;
    }
}
