package dev.waybill.experiment.comparison;

import static dev.waybill.experiment.ApiClient.as;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.Account;
import io.restassured.response.ExtractableResponse;
import io.restassured.response.Response;

/** An uploaded experiment, its dataset, and the body that was sent. */
record SentExperiment(String id, String datasetId, JsonNode body, Map<String, JsonNode> rows) {

    static SentExperiment upload(Account account, JsonNode body) {
        ExtractableResponse<Response> response = as(account).contentType("application/json").body(body.toString())
                .post("/api/v1/datasets/upload-experiment").then().statusCode(200).extract();
        Map<String, JsonNode> rows = new LinkedHashMap<>();
        body.get("results").forEach(row -> rows.put(row.get("row_id").asText(), row));
        return new SentExperiment(response.path("experiment.id"), response.path("dataset.id"), body, rows);
    }

    /** Uploads three experiments of one dataset; the first is the baseline, the third has fewer rows. */
    static List<SentExperiment> uploadThree(Account account) {
        return Stream.of(ExperimentFixtures.body("base", 1, 60), ExperimentFixtures.body("second", 2, 60),
                ExperimentFixtures.body("third", 3, 41)).map(body -> upload(account, body)).toList();
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
