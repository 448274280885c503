package dev.waybill.experiment.upload;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.time.Timestamps;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Uploads are read back unchanged, and statistics equal those that the test computes. */
@QuarkusTest
class UploadReadTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Account account = Accounts.account().create();

    static Stream<ExperimentBody> bodies() {
        return Stream.concat(
                Stream.of(ExperimentBody.generated(7, 1), ExperimentBody.generated(8, 2), ExperimentBody.generated(9, 173)),
                ExperimentBody.real());
    }

    @Test
    void includesThirteenRealExperiments() {
        assertThat(ExperimentBody.real()).hasSize(13);
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void readsBackUploadsWithStatistics(ExperimentBody body) {
        // Given
        String text = body.text();

        // When
        Response response = as(account).contentType("application/json").body(text)
                .post("/api/v1/datasets/upload-experiment");

        // Then
        response.then().statusCode(200);
        JsonNode sent = json(text);
        UUID session = UUID.fromString(response.path("experiment.id"));
        requireRows(sent, session);
        requireExamples(sent, response.path("dataset.id"));
        requireStatistics(sent, session);
    }

    @Test
    void computesStatisticsOfTraces() {
        // Given
        var run = dev.waybill.experiment.TestRun.root().with("session_name", "traced").with("prompt_tokens", 3)
                .with("total_tokens", 5).with("total_cost", "0.25")
                .with("events", List.of(Map.of("name", "new_token", "time", "2026-11-20T08:00:00.623456Z")));
        var child = dev.waybill.experiment.TestRun.below(run).with("session_name", "traced").with("total_tokens", 7)
                .with("error", "x");
        var failed = dev.waybill.experiment.TestRun.root().with("session_name", "traced").with("error", "y")
                .with("end_time", "2026-11-20T08:00:03.123456Z");
        as(account).contentType("application/json")
                .body(Map.of("post", List.of(run.members(), child.members(), failed.members()))).post("/runs/batch").then()
                .statusCode(202);

        // When
        JsonNode session = json(as(account).get("/sessions?name=traced&include_stats=true").asString()).get(0);

        // Then
        assertThat(session.get("run_count").asLong()).isEqualTo(2);
        assertThat(session.get("error_rate").asDouble()).isEqualTo(0.5);
        assertThat(session.get("streaming_rate").asDouble()).isEqualTo(0.5);
        assertThat(session.get("first_token_p50").asDouble()).isEqualTo(0.5);
        assertThat(session.get("total_tokens").asLong()).isEqualTo(7);
        assertThat(session.get("prompt_tokens").isNull()).isTrue();
        assertThat(session.get("total_cost").decimalValue()).isEqualByComparingTo("0.25");
        assertThat(session.get("latency_p50").asDouble()).isCloseTo((2.376544 + 3) / 2, within(1e-6));
        assertThat(session.get("feedback_stats")).isEmpty();
    }

    @Test
    void filtersSessions() {
        // Given
        TestUpload first = TestUpload.ofRows(1).with("experiment_name", "Alpha 50%").with("dataset_name", "d");
        String dataset = upload(first).path("dataset.id");
        upload(TestUpload.ofRows(1).with("experiment_name", "beta").with("dataset_name", "d"));
        upload(TestUpload.ofRows(1).with("experiment_name", "gamma"));

        // Then
        assertThat(names("reference_dataset=" + dataset + "&sort_by=name&sort_by_desc=false"))
                .containsExactly("Alpha 50%", "beta");
        assertThat(names("name_contains=PHA%2050%25")).containsExactly("Alpha 50%");
        assertThat(names("name=gamma")).containsExactly("gamma");
        assertThat(names("reference_dataset=" + dataset + "&limit=1&offset=1&sort_by=name")).containsExactly("Alpha 50%");
        assertThat(names("reference_free=true")).isEmpty();
        as(account).get("/api/v1/datasets?name=d").then().statusCode(200).header("X-Pagination-Total", "1");
        assertThat(as(account).get("/api/v1/datasets/" + dataset).<Integer> path("session_count")).isEqualTo(2);
    }

    @Test
    void sortsSessionsByStatistics() {
        // Given
        TestUpload slow = TestUpload.ofRows(2).with("experiment_name", "slow");
        slow.rowAt(0).put("start_time", "2026-11-20T08:20:00Z");
        slow.rowAt(0).put("end_time", "2026-11-20T08:50:00Z");
        slow.rowAt(1).put("start_time", "2026-11-20T08:01:00Z");
        TestUpload failing = TestUpload.ofRows(3).with("experiment_name", "failing");
        failing.rowAt(0).put("error", "x");
        upload(slow);
        upload(failing);
        as(account).contentType("application/json").body("{\"name\": \"empty\"}").post("/sessions");

        // Then
        assertThat(names("sort_by=latency_p50")).containsExactly("slow", "failing", "empty");
        assertThat(names("sort_by=latency_p99&sort_by_desc=false")).containsExactly("failing", "slow", "empty");
        assertThat(names("sort_by=error_rate")).containsExactly("failing", "slow", "empty");
        assertThat(names("sort_by=runs_count")).containsExactly("failing", "slow", "empty");
        assertThat(names("sort_by=last_run_start_time&sort_by_desc=false")).containsExactly("failing", "slow", "empty");
        assertThat(names("sort_by=runs_count&limit=1&offset=1")).containsExactly("slow");
        as(account).get("/api/v1/sessions?sort_by=luck").then().statusCode(422);
    }

    private void requireRows(JsonNode sent, UUID session) {
        List<JsonNode> results = list(sent.get("results"));
        Map<String, JsonNode> runs = new HashMap<>();
        for (JsonNode run : stored("SELECT coalesce(json_agg(json_build_object('row_id', e.row_id, 'inputs', r.inputs,"
                + " 'outputs', r.outputs, 'error', r.error, 'name', r.name, 'metadata', r.metadata, 'start', extract(epoch FROM r.start_time),"
                + " 'end', extract(epoch FROM r.end_time), 'status', r.status,"
                + " 'scores', (SELECT json_agg(f.* ORDER BY f.key) FROM trace.feedback f WHERE f.run_id = r.id)))::text, '[]')"
                + " FROM trace.runs r JOIN trace.examples e ON e.tenant_id = r.tenant_id AND e.id = r.reference_example_id"
                + " WHERE r.session_id = ?", session)) {
            runs.put(run.get("row_id").asText(), run);
        }
        assertThat(runs).hasSize(results.size());
        for (JsonNode row : results) {
            JsonNode run = runs.get(row.get("row_id").asText());
            assertThat(json(run.get("inputs").asText())).isEqualTo(row.get("inputs"));
            assertThat(json(run.path("outputs").asText())).isEqualTo(json(row.path("actual_outputs").toString()));
            assertThat(json(run.path("metadata").asText())).isEqualTo(json(row.path("run_metadata").toString()));
            assertThat(run.get("error")).isEqualTo(orNull(row.get("error")));
            assertThat(run.get("name"))
                    .isEqualTo(row.hasNonNull("run_name") ? row.get("run_name") : sent.get("experiment_name"));
            assertThat(run.get("status").asText()).isEqualTo(row.hasNonNull("error") ? "error" : "success");
            assertThat(run.get("start").decimalValue()).isEqualByComparingTo(seconds(row.get("start_time")));
            assertThat(run.get("end").decimalValue()).isEqualByComparingTo(seconds(row.get("end_time")));
            requireScores(list(row.path("evaluation_scores")), list(run.get("scores")));
        }
    }

    private static void requireScores(List<JsonNode> sent, List<JsonNode> stored) {
        List<JsonNode> ordered = sent.stream().sorted((a, b) -> a.get("key").asText().compareTo(b.get("key").asText()))
                .toList();
        assertThat(stored).hasSize(ordered.size());
        Map<String, JsonNode> byKey = new HashMap<>();
        stored.forEach(item -> byKey.put(item.get("key").asText(), item));
        for (JsonNode score : ordered) {
            JsonNode actual = byKey.get(score.get("key").asText());
            assertThat(actual.get("score").isNull()).isEqualTo(!score.hasNonNull("score"));
            if (score.hasNonNull("score")) {
                assertThat(actual.get("score").asDouble()).isEqualTo(number(score.get("score")));
            }
            assertThat(json(actual.path("value").asText())).isEqualTo(json(score.path("value").toString()));
            assertThat(actual.path("comment").asText()).isEqualTo(score.path("comment").asText("null"));
            assertThat(json(actual.path("source").asText())).isEqualTo(json(score.path("feedback_source").toString()));
            assertThat(json(actual.path("correction").asText())).isEqualTo(json(score.path("correction").toString()));
            if (score.hasNonNull("created_at")) {
                assertThat(time(actual.get("created_at"))).isEqualTo(time(score.get("created_at")));
            }
            assertThat(json(actual.path("config").asText())).isEqualTo(json(score.path("feedback_config").toString()));
        }
    }

    private void requireExamples(JsonNode sent, String dataset) {
        Map<String, JsonNode> examples = new HashMap<>();
        int total = 1;
        for (int offset = 0; offset < total; offset += 100) {
            Response page = as(account).get("/api/v1/datasets/" + dataset + "/examples?limit=100&offset=" + offset);
            total = Integer.parseInt(page.header("X-Pagination-Total"));
            json(page.asString()).forEach(example -> examples.put(example.get("row_id").asText(), example));
        }
        assertThat(examples).hasSize(sent.get("results").size()).hasSize(total);
        for (JsonNode row : sent.get("results")) {
            JsonNode example = examples.get(row.get("row_id").asText());
            assertThat(example.get("id")).isEqualTo(row.get("row_id"));
            assertThat(example.get("inputs")).isEqualTo(row.get("inputs"));
            assertThat(example.get("outputs").toString()).isEqualTo(row.hasNonNull("expected_outputs")
                    ? row.get("expected_outputs").toString()
                    : "null");
        }
    }

    private void requireStatistics(JsonNode sent, UUID session) {
        JsonNode read = json(as(account).get("/api/v1/sessions/" + session + "?include_stats=true").asString());
        List<JsonNode> rows = list(sent.get("results"));
        double[] latencies = rows.stream()
                .mapToDouble(row -> Duration.between(time(row.get("start_time")), time(row.get("end_time"))).toNanos() / 1e9)
                .sorted().toArray();
        assertThat(read.get("run_count").asLong()).isEqualTo(rows.size());
        assertPercentile(read.get("latency_p50"), latencies, 0.5);
        assertPercentile(read.get("latency_p99"), latencies, 0.99);
        assertThat(read.get("error_rate").asDouble())
                .isCloseTo((double) rows.stream().filter(row -> row.hasNonNull("error")).count() / rows.size(), within(1e-12));
        assertThat(time(read.get("last_run_start_time")))
                .isEqualTo(rows.stream().map(row -> time(row.get("start_time"))).max(Instant::compareTo).orElseThrow());
        assertThat(read.get("total_tokens").isNull()).isTrue();
        assertThat(read.get("total_cost").isNull()).isTrue();
        assertThat(read.get("first_token_p50").isNull()).isTrue();
        requireFeedback(read.get("feedback_stats"),
                rows.stream().flatMap(row -> list(row.path("evaluation_scores")).stream()).toList());
        requireFeedback(read.get("session_feedback_stats"), list(sent.path("summary_experiment_scores")));
    }

    private static void requireFeedback(JsonNode statistics, List<JsonNode> feedback) {
        Map<String, List<JsonNode>> byKey = new TreeMap<>();
        feedback.forEach(item -> byKey.computeIfAbsent(item.get("key").asText(), key -> new ArrayList<>()).add(item));
        assertThat(statistics.properties().stream().map(Map.Entry::getKey)).containsExactlyElementsOf(byKey.keySet());
        byKey.forEach((key, all) -> {
            JsonNode actual = statistics.get(key);
            double[] scores = all.stream().filter(item -> item.hasNonNull("score"))
                    .mapToDouble(item -> number(item.get("score")))
                    .toArray();
            double mean = Stream.of(scores).flatMapToDouble(java.util.Arrays::stream).average().orElse(0);
            double stdev = Math.sqrt(java.util.Arrays.stream(scores).map(score -> (score - mean) * (score - mean)).average()
                    .orElse(0));
            Map<String, Long> values = new HashMap<>();
            all.stream().filter(item -> item.hasNonNull("value"))
                    .forEach(item -> values.merge(item.get("value").asText(), 1L, Long::sum));
            assertThat(actual.get("n").asLong())
                    .isEqualTo(all.stream().filter(item -> item.hasNonNull("score") || item.hasNonNull("value")).count());
            assertThat(actual.get("avg").isNull()).isEqualTo(scores.length == 0);
            assertThat(actual.get("avg").asDouble()).isCloseTo(mean, within(1e-9 * Math.max(1, Math.abs(mean))));
            assertThat(actual.get("stdev").asDouble()).isCloseTo(stdev, within(1e-7 * Math.max(1, stdev)));
            assertThat(actual.get("min").asDouble()).isEqualTo(java.util.Arrays.stream(scores).min().orElse(0));
            assertThat(actual.get("max").asDouble()).isEqualTo(java.util.Arrays.stream(scores).max().orElse(0));
            Map<String, Long> actualValues = new HashMap<>();
            actual.get("values").properties().forEach(value -> actualValues.put(value.getKey(), value.getValue().asLong()));
            assertThat(actualValues).isEqualTo(values);
        });
    }

    /** Percentiles of an hour with more than 100 runs are estimates if it was summarized before the request. */
    private static void assertPercentile(JsonNode read, double[] sorted, double p) {
        double exact = percentile(sorted, p);
        assertThat(read.asDouble()).isCloseTo(exact, within(sorted.length > 100 ? exact / 100 + 1e-9 : 1e-9));
    }

    private static double percentile(double[] sorted, double p) {
        double position = p * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    private List<String> names(String query) {
        return as(account).urlEncodingEnabled(false).get("/api/v1/sessions?" + query).path("name");
    }

    private Response upload(TestUpload upload) {
        return as(account).contentType("application/json").body(upload.json()).post("/api/v1/datasets/upload-experiment");
    }

    private static JsonNode stored(String sql, Object... parameters) {
        return json(Rows.value(sql, parameters));
    }

    private static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private static JsonNode orNull(JsonNode member) {
        return member == null ? com.fasterxml.jackson.databind.node.NullNode.getInstance() : member;
    }

    private static double number(JsonNode score) {
        return score.isBoolean() ? score.asBoolean() ? 1 : 0 : score.asDouble();
    }

    private static Instant time(JsonNode text) {
        return Timestamps.parse(text.asText());
    }

    private static java.math.BigDecimal seconds(JsonNode text) {
        Instant time = time(text);
        return java.math.BigDecimal.valueOf(time.getEpochSecond())
                .add(java.math.BigDecimal.valueOf(time.getNano(), 9));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text.equals("null") ? "" : text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
