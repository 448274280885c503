package dev.waybill.experiment.dataset;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.time.Timestamps;
import dev.waybill.experiment.upload.ExperimentBody;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Compares the scores of a dataset's experiments over time with an independent calculation from the uploaded bodies. */
@QuarkusTest
class ExperimentHistoryTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** The order of the uploads is not that of the start times. */
    private static final List<Integer> DAYS = List.of(14, 11, 19, 12, 17, 11);

    private final Account account = Accounts.account().create();
    private final Map<String, Expected> experiments = new HashMap<>();
    private String dataset;

    @Test
    void scoresOfEachExperimentEqualAnIndependentCalculation() throws Exception {
        // Given
        for (int i = 0; i < DAYS.size(); i++) {
            upload(i);
        }
        experiments.forEach(this::changeFeedback);

        // When
        List<JsonNode> listed = new ArrayList<>();
        for (int offset = 0; offset < DAYS.size(); offset += 4) {
            read("/api/v1/sessions?include_stats=true&sort_by=start_time&sort_by_desc=false&limit=4&offset=" + offset
                    + "&reference_dataset=" + dataset).forEach(listed::add);
        }

        // Then
        assertThat(listed).extracting(one -> one.get("id").asText()).hasSameSizeAs(DAYS)
                .containsExactlyInAnyOrderElementsOf(experiments.keySet());
        assertThat(listed).extracting(one -> one.get("start_time").asText()).isSorted();
        for (JsonNode actual : listed) {
            String id = actual.get("id").asText();
            assertExperiment(actual, experiments.get(id));
            assertExperiment(read("/api/v1/sessions/" + id + "?include_stats=true"), experiments.get(id));
        }
    }

    private void upload(int number) throws JsonProcessingException {
        ObjectNode body = (ObjectNode) JSON.readTree(ExperimentBody.generated(number, 20 + 13 * number).text());
        body.put("dataset_name", "history").put("experiment_name", "experiment " + number)
                .put("experiment_start_time", "2026-11-" + DAYS.get(number) + "T08:00:00Z");
        Response response = as(account).contentType("application/json").body(body.toString())
                .post("/api/v1/datasets/upload-experiment");
        response.then().statusCode(200);
        dataset = response.path("dataset.id");
        Map<String, List<JsonNode>> feedback = new TreeMap<>();
        body.get("results").forEach(row -> row.get("evaluation_scores").forEach(
                score -> feedback.computeIfAbsent(score.get("key").asText(), key -> new ArrayList<>()).add(score)));
        experiments.put(response.path("experiment.id"), new Expected(number, body, feedback));
    }

    /** Adds a second score, replaces one and deletes one, as reviewers do after the upload. */
    private void changeFeedback(String id, Expected expected) {
        String run = as(account).contentType("application/json").body(Map.of("session", List.of(id), "limit", 1))
                .post("/api/v1/runs/query").path("runs[0].id");
        List<JsonNode> scores = expected.feedback().get("continuous");
        ObjectNode added = JSON.createObjectNode().put("run_id", run).put("key", "continuous")
                .put("score", 40 + expected.number());
        as(account).contentType("application/json").body(added.toString()).post("/api/v1/feedback").then().statusCode(200);
        scores.add(added);

        List<JsonNode> stored = StreamSupport.stream(
                read("/api/v1/feedback?key=continuous&limit=3&session=" + id).spliterator(), false)
                .filter(one -> one.get("score").asDouble() < 40).toList();
        as(account).contentType("application/json").body("{\"score\": -7.5}")
                .patch("/api/v1/feedback/" + stored.get(0).get("id").asText()).then().statusCode(200);
        as(account).delete("/api/v1/feedback/" + stored.get(1).get("id").asText()).then().statusCode(200);
        for (JsonNode changed : stored.subList(0, 2)) {
            assertThat(scores.removeIf(score -> score.get("score").asDouble() == changed.get("score").asDouble())).isTrue();
        }
        scores.add(JSON.createObjectNode().put("score", -7.5));
    }

    private static void assertExperiment(JsonNode actual, Expected expected) {
        List<JsonNode> rows = StreamSupport.stream(expected.body().get("results").spliterator(), false).toList();
        assertThat(actual.get("name").asText()).isEqualTo("experiment " + expected.number());
        assertThat(actual.get("test_run_number").asInt()).isEqualTo(expected.number() + 1);
        assertThat(actual.get("run_count").asInt()).isEqualTo(rows.size());
        assertThat(actual.get("error_rate").asDouble()).isCloseTo(
                rows.stream().filter(row -> row.hasNonNull("error")).count() / (double) rows.size(), within(1e-12));
        double[] latencies = rows.stream().mapToDouble(ExperimentHistoryTest::latency).sorted().toArray();
        assertThat(actual.get("latency_p50").asDouble())
                .isCloseTo((latencies[latencies.length / 2] + latencies[(latencies.length - 1) / 2]) / 2, within(1e-9));
        JsonNode statistics = actual.get("feedback_stats");
        assertThat(statistics.properties()).extracting(Map.Entry::getKey)
                .containsExactlyInAnyOrderElementsOf(expected.feedback().keySet());
        expected.feedback().forEach((key, feedback) -> assertKey(statistics.get(key), feedback));
    }

    private static void assertKey(JsonNode actual, List<JsonNode> feedback) {
        double[] scores = feedback.stream().filter(one -> one.hasNonNull("score"))
                .mapToDouble(one -> one.get("score").isBoolean() ? one.get("score").asBoolean() ? 1 : 0
                        : one.get("score").asDouble())
                .toArray();
        assertThat(actual.get("n").asLong())
                .isEqualTo(feedback.stream().filter(one -> one.hasNonNull("score") || one.hasNonNull("value")).count());
        assertThat(actual.get("avg").isNull()).isEqualTo(scores.length == 0);
        if (scores.length > 0) {
            double mean = Arrays.stream(scores).sum() / scores.length;
            double variance = Arrays.stream(scores).map(score -> (score - mean) * (score - mean)).sum() / scores.length;
            assertThat(actual.get("avg").asDouble()).isCloseTo(mean, within(1e-9));
            assertThat(actual.get("stdev").asDouble()).isCloseTo(Math.sqrt(variance), within(1e-9));
        }
    }

    private static double latency(JsonNode row) {
        return Duration
                .between(Timestamps.parse(row.get("start_time").asText()), Timestamps.parse(row.get("end_time").asText()))
                .toNanos() / 1e9;
    }

    private JsonNode read(String path) {
        return as(account).get(path).then().statusCode(200).extract().as(JsonNode.class);
    }

    /** @param feedback the expected feedback on runs by key */
    private record Expected(int number, JsonNode body, Map<String, List<JsonNode>> feedback) {
    }
}
