package dev.waybill.experiment.comparison;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;

/** Options of a comparison request: filter, order, page and baseline, and its validation. */
@QuarkusTest
class ComparisonRequestTest {

    private static final List<String> ROWS = Stream.of(1, 2, 3, 4, 5)
            .map(i -> new UUID(0x7000L, 0x8000_0000_0000_0000L + i).toString()).toList();

    private final Account account = Accounts.account().create();
    private final String name = "d " + UUID.randomUUID();
    private String dataset;
    private String first;
    private String second;

    /** Scores by row: the first experiment has 1, 2, 3, 4 and none; the second has 3, 1, 3, none and 2. */
    @BeforeEach
    void uploadTwo() {
        Response uploaded = upload("first", 1.0, 2.0, 3.0, 4.0, null);
        dataset = uploaded.path("dataset.id");
        first = uploaded.path("experiment.id");
        second = upload("second", 3.0, 1.0, 3.0, null, 2.0).path("experiment.id");
    }

    static Stream<Arguments> pages() {
        return Stream.of(
                Arguments.of(Map.of(), List.of(0, 1, 2, 3, 4), 5),
                Arguments.of(Map.of("limit", 2, "offset", 1), List.of(1, 2), 5),
                Arguments.of(Map.of("offset", 7), List.of(), 5),
                Arguments.of(Map.of("sort", "difference", "feedback_key", "k"), List.of(1, 2, 0, 3, 4), 5),
                Arguments.of(Map.of("sort", "-difference", "feedback_key", "k"), List.of(0, 2, 1, 3, 4), 5),
                Arguments.of(Map.of("sort", "-difference", "feedback_key", "k", "limit", 1), List.of(0), 5),
                Arguments.of(Map.of("filter", "better", "feedback_key", "k"), List.of(0), 1),
                Arguments.of(Map.of("filter", "worse", "feedback_key", "k"), List.of(1), 1),
                Arguments.of(Map.of("filter", "worse", "higher_is_better", Map.of("k", false)), List.of(0), 1),
                Arguments.of(Map.of("filter", "same"), List.of(2), 1),
                Arguments.of(Map.of("filter", "missing"), List.of(3, 4), 2),
                Arguments.of(Map.of("filter", "missing", "sort", "difference", "feedback_key", "k", "limit", 1), List.of(3), 2),
                Arguments.of(Map.of("filter", "better", "feedback_key", "unknown"), List.of(), 0));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void rowsAreFilteredAndSortedByDifference(Map<String, Object> options, List<Integer> rows, int total) {
        // When
        Map<String, Object> request = new HashMap<>(options);
        request.put("experiment_ids", List.of(first, second));
        request.put("baseline_experiment_id", first);
        ValidatableResponse response = compare(request).statusCode(200);

        // Then
        response.body("rows.example_id", equalTo(rows.stream().map(ROWS::get).toList())).body("total", equalTo(total));
    }

    @Test
    void baselineDefaultsToTheDatasetsThenToTheFirstExperiment() {
        compare(Map.of("experiment_ids", List.of(second, first))).body("baseline_experiment_id", equalTo(second))
                .body("experiments.id", contains(second, first)).body("experiments[0].feedback.k.delta", nullValue())
                .body("experiments[1].feedback.k.better", equalTo(1));

        patch(Map.of("baseline_experiment_id", first, "higher_is_better", Map.of("k", false)));
        compare(Map.of("experiment_ids", List.of(second))).body("baseline_experiment_id", equalTo(first))
                .body("experiments.id", contains(second, first))
                .body("experiments[0].feedback.k.higher_is_better", equalTo(false))
                .body("experiments[0].feedback.k.delta", notNullValue());

        compare(Map.of("experiment_ids", List.of(second, first), "baseline_experiment_id", second, "higher_is_better",
                Map.of("k", true))).body("baseline_experiment_id", equalTo(second))
                .body("experiments[1].feedback.k.higher_is_better", equalTo(true));
    }

    @Test
    void repeatedRunsOfAnExampleCountOnceWithTheirAverage() {
        // Given
        String session = as(account).contentType("application/json")
                .body(Map.of("name", "traced " + name, "reference_dataset_id", dataset)).post("/sessions").path("id");
        double[] scores = { 2, 4, 6 };
        for (int i = 0; i < scores.length; i++) {
            TestRun run = TestRun.root().with("session_id", session).with("reference_example_id", ROWS.getFirst())
                    .with("outputs", Map.of("try", i)).with("end_time", "2026-11-20T08:00:0" + (i + 1) + ".123456Z");
            as(account).contentType("application/json").body(Map.of("post", List.of(run.members()))).post("/runs/batch").then()
                    .statusCode(202);
            as(account).contentType("application/json")
                    .body(Map.of("run_id", run.id(), "key", "k", "score", scores[i])).post("/api/v1/feedback").then()
                    .statusCode(200);
        }

        // When
        ValidatableResponse response = compare(Map.of("experiment_ids", List.of(first, session)));

        // Then
        response.statusCode(200).body("experiments[1].run_count", equalTo(3))
                .body("experiments[1].feedback.k.n", equalTo(1)).body("experiments[1].feedback.k.avg", equalTo(4.0f))
                .body("experiments[1].feedback.k.delta", equalTo(3.0f)).body("experiments[1].feedback.k.better", equalTo(1))
                .body("experiments[1].feedback.k.missing", equalTo(3))
                .body("rows[0].runs[1].n", equalTo(3)).body("rows[0].runs[1].feedback.k", equalTo(4.0f))
                .body("rows[0].runs[1].latency", equalTo(2.0f))
                .body("rows[0].runs[1].stdev.k", equalTo((float) Math.sqrt(8 / 3.0)))
                .body("rows[0].runs[0].n", equalTo(1)).body("rows[1].runs", hasSize(1));
    }

    @Test
    void extremeScoresAreExcludedFromStatistics() {
        // Given
        String huge = upload("huge", 1e308, -1e308, 1.7e308, 3.0, 1e-320).path("experiment.id");

        // Then
        compare(Map.of("experiment_ids", List.of(first, huge))).statusCode(200)
                .body("experiments[1].feedback.k.n", equalTo(2));
        as(account).get("/api/v1/sessions/" + huge + "?include_stats=true").then().statusCode(200)
                .body("feedback_stats.k.n", equalTo(5)).body("feedback_stats.k.avg", equalTo(1.5f));
    }

    @Test
    void returns422WithAllViolations() {
        compare(Map.of("experiment_ids", List.of(), "sort", "up", "filter", "odd", "limit", 101, "offset", -1,
                "higher_is_better", Map.of("k", "no"), "baseline_experiment_id", 7)).statusCode(422)
                .body("errors", hasSize(7));
        compare(Map.of("experiment_ids", java.util.Collections.nCopies(11, first))).statusCode(422);
        compare(Map.of("experiment_ids", List.of(first), "sort", "difference")).statusCode(422)
                .body("errors[0].loc", equalTo(List.of("feedback_key")));
    }

    @Test
    void experimentsOutsideTheDatasetAreRejected() {
        // Given
        String other = as(account).contentType("application/json").body(TestUpload.ofRows(1).json())
                .post("/api/v1/datasets/upload-experiment").path("experiment.id");
        String project = as(account).contentType("application/json").body(Map.of("name", "project " + name)).post("/sessions")
                .path("id");
        String foreign = as(Accounts.account().create()).contentType("application/json").body(TestUpload.ofRows(1).json())
                .post("/api/v1/datasets/upload-experiment").path("experiment.id");

        // Then
        compare(Map.of("experiment_ids", List.of(first, other), "baseline_experiment_id", project)).statusCode(422)
                .body("errors.loc", equalTo(List.of(List.of("experiment_ids", 1), List.of("baseline_experiment_id"))))
                .body("detail", containsString("must be an experiment of this dataset; " + other + " is not"));
        compare(Map.of("experiment_ids", List.of(first, foreign))).statusCode(404);
        compare(Map.of("experiment_ids", List.of(first), "baseline_experiment_id", foreign)).statusCode(404);
        as(Accounts.account().inOrganizationOf(account).create()).contentType("application/json")
                .body(Map.of("experiment_ids", List.of(first))).post("/api/v1/datasets/" + dataset + "/comparison").then()
                .statusCode(404);
    }

    private Response upload(String experiment, Double... scores) {
        TestUpload upload = TestUpload.ofRows(scores.length).with("experiment_name", experiment).with("dataset_name", name);
        for (int i = 0; i < scores.length; i++) {
            upload.rowAt(i).put("row_id", ROWS.get(i));
            upload.rowAt(i).put("evaluation_scores",
                    scores[i] == null ? List.of() : List.of(Map.of("key", "k", "score", scores[i])));
        }
        Response response = as(account).contentType("application/json").body(upload.json())
                .post("/api/v1/datasets/upload-experiment");
        assertThat(response.statusCode()).isEqualTo(200);
        return response;
    }

    private void patch(Map<String, ?> body) {
        as(account).contentType("application/json").body(body).patch("/api/v1/datasets/" + dataset).then().statusCode(200);
    }

    private ValidatableResponse compare(Map<String, ?> request) {
        return as(account).contentType("application/json").body(request).post("/api/v1/datasets/" + dataset + "/comparison")
                .then();
    }
}
