package dev.waybill.experiment.gate;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/**
 * A gate passes experiments within its thresholds, reports reasons for failures and fails experiments without scores.
 */
@QuarkusTest
class GateTest {

    private static final int ROWS = 40;

    private final Account account = Accounts.account().create();
    private final String name = "d " + UUID.randomUUID();
    private String dataset;
    private String baseline;
    private String candidate;

    /** In the candidate, quality drops by 0.1, one row in ten is incorrect, and length drops by 5. */
    @BeforeEach
    void uploadTwo() {
        Response uploaded = upload("base | line", i -> 0.8, i -> 1, i -> 100 + i);
        dataset = uploaded.path("dataset.id");
        baseline = uploaded.path("experiment.id");
        candidate = upload("candidate", i -> 0.7, i -> i % 10 == 0 ? 0 : 1, i -> 95 + i).path("experiment.id");
    }

    static Stream<Arguments> thresholds() {
        return Stream.of(
                Arguments.of(Map.of(), List.of("length", "quality")),
                Arguments.of(Map.of("higher_is_better", Map.of("length", false)), List.of("quality")),
                Arguments.of(Map.of("max_drop", 0.05), List.of("correct", "length", "quality")),
                Arguments.of(Map.of("max_drop", 0.05, "feedback_keys", List.of("correct", "quality")),
                        List.of("correct", "quality")),
                Arguments.of(Map.of("max_drop", Map.of("correct", 0.1, "quality", 0.1)), List.of()),
                Arguments.of(Map.of("max_drop", Map.of("correct", 0.09, "quality", 0.11)), List.of("correct")),
                Arguments.of(Map.of("max_drop", Map.of("correct", 0.09), "confidence", 0.95), List.of()),
                Arguments.of(Map.of("max_drop", 0, "confidence", 0.95, "feedback_keys", List.of("correct")), List.of()),
                Arguments.of(Map.of("max_drop", 0, "confidence", 0.8, "feedback_keys", List.of("correct")),
                        List.of("correct")),
                Arguments.of(Map.of("max_drop", 0, "confidence", Map.of("quality", 0.99), "feedback_keys",
                        List.of("correct", "quality")), List.of("correct", "quality")),
                Arguments.of(Map.of("min_score", Map.of("quality", 0.7, "correct", 0.9)), List.of()),
                Arguments.of(Map.of("min_score", Map.of("quality", 0.71)), List.of("quality")),
                Arguments.of(Map.of("min_score", Map.of("length", 110), "higher_is_better", Map.of("length", false)),
                        List.of("length")),
                Arguments.of(Map.of("min_score", Map.of("length", 115), "higher_is_better", Map.of("length", false)),
                        List.of()),
                Arguments.of(Map.of("max_drop", Map.of("unheard of", 1)), List.of("unheard of")),
                Arguments.of(Map.of("min_score", Map.of("unheard of", 1)), List.of("unheard of")));
    }

    @ParameterizedTest
    @MethodSource("thresholds")
    void keyBeyondItsThresholdFails(Map<String, Object> thresholds, List<String> failing) {
        // When
        Map<String, Object> request = new HashMap<>(thresholds);
        request.put("experiment_id", candidate);
        request.put("baseline_experiment_id", baseline);
        Response response = evaluate(request);

        // Then
        assertThat(response.statusCode()).isEqualTo(200);
        Map<String, Map<String, Object>> keys = response.path("experiments[0].feedback");
        assertThat(keys.entrySet().stream().filter(key -> !(Boolean) key.getValue().get("passed")).map(Map.Entry::getKey))
                .containsExactlyElementsOf(failing);
        response.then().body("passed", equalTo(failing.isEmpty())).body("reasons", hasSize(failing.size()))
                .body("experiments", hasSize(1)).body("experiments[0].passed", equalTo(failing.isEmpty()));
    }

    @Test
    void markdownSummaryListsReasonsAndScores() {
        // When
        String summary = as(account).contentType("application/json").accept("text/markdown")
                .body(Map.of("experiment_id", candidate, "baseline_experiment_id", baseline, "max_drop",
                        Map.of("correct", 0.02)))
                .post("/api/v1/datasets/" + dataset + "/gate").then().statusCode(200).contentType("text/markdown").extract()
                .asString();

        // Then
        assertThat(summary.lines()).startsWith("## Failed", "",
                "- \"correct\" of \"candidate\" dropped by 0.1, more than 0.02 (n = 40).", "",
                "### candidate against base \\| line")
                .last().asString().startsWith("| correct | 0.9 | 1 | -0.1 | ")
                .endsWith(" | 0 | 4 | 36 | cannot tell at n = 40 | **failed** |");
    }

    @Test
    void pValuesAreAdjustedForTheEvaluatedKeysOnly() {
        // Given
        Map<String, Object> request = new HashMap<>(Map.of("experiment_id", candidate, "baseline_experiment_id", baseline,
                "max_drop", 0, "feedback_keys", List.of("correct")));

        // When
        Response one = evaluate(request);
        request.put("feedback_keys", List.of("correct", "quality"));
        Response two = evaluate(request);

        // Then
        float pValue = one.path("experiments[0].feedback.correct.figures.p_value");
        one.then().body("experiments[0].feedback.correct.figures.p_adjusted", equalTo(pValue))
                .body("summary", not(containsString("is corrected for")));
        two.then().body("experiments[0].feedback.correct.figures.p_value", equalTo(pValue))
                .body("experiments[0].feedback.correct.figures.p_adjusted", equalTo(pValue))
                .body("experiments[0].feedback.quality.figures.p_adjusted",
                        equalTo(2 * (float) two.path("experiments[0].feedback.quality.figures.p_value")))
                .body("summary", containsString("| 95 % interval | p | p (Holm) |"))
                .body("summary", containsString("p (Holm) is corrected for the comparison of 2 keys; verdict and gate use p."));
    }

    @Test
    void severalExperimentsAreEvaluatedTogether() {
        evaluate(Map.of("experiment_ids", List.of(candidate, baseline), "min_score", Map.of("quality", 0.75))).then()
                .body("passed", equalTo(false)).body("experiments.passed", contains(false, true))
                .body("reasons", contains(containsString("\"quality\" of \"candidate\" is 0.7 on average, less than 0.75")))
                .body("baseline_experiment_id", nullValue());
    }

    @Test
    void datasetsBaselineIsUsedAndItsAbsenceReturns422() {
        evaluate(Map.of("experiment_id", candidate)).then().statusCode(422)
                .body("errors[0].loc", equalTo(List.of("baseline_experiment_id")))
                .body("detail", containsString("PATCH /api/v1/datasets/" + dataset));
        as(account).contentType("application/json")
                .body(Map.of("baseline_experiment_id", baseline, "higher_is_better", Map.of("length", false)))
                .patch("/api/v1/datasets/" + dataset).then().statusCode(200);

        evaluate(Map.of("experiment_id", candidate)).then().statusCode(200).body("baseline_experiment_id", equalTo(baseline))
                .body("experiments[0].feedback.length.passed", equalTo(true))
                .body("experiments[0].feedback.quality.passed", equalTo(false));
        evaluate(Map.of("experiment_id", baseline)).then().statusCode(422)
                .body("detail", containsString("must not be one of the evaluated experiments"));
    }

    @Test
    void experimentWithoutScoresFails() {
        // Given
        TestUpload unscored = TestUpload.ofRows(1).with("experiment_name", "silent").with("dataset_name", name);
        unscored.rowAt(0).remove("evaluation_scores");
        String unscoredExperiment = as(account).contentType("application/json").body(unscored.json())
                .post("/api/v1/datasets/upload-experiment").path("experiment.id");

        // Then
        evaluate(Map.of("experiment_id", unscoredExperiment, "baseline_experiment_id", baseline)).then()
                .body("passed", equalTo(false))
                .body("reasons", hasSize(3)).body("reasons[0]", containsString("has no score, but the baseline does"));
        evaluate(Map.of("experiment_id", unscoredExperiment, "min_score", 0.5)).then().body("passed", equalTo(false))
                .body("reasons", contains("\"silent\" has no score for any feedback key that the gate evaluates."));
    }

    @Test
    void returns422WithAllViolations() {
        evaluate(Map.of("max_drop", -1, "min_score", Map.of("a", "x", "b", true), "confidence", 1.5)).then().statusCode(422)
                .body("errors.loc",
                        containsInAnyOrder(List.of("experiment_id"), List.of("min_score", "a"), List.of("min_score", "b"),
                                List.of("max_drop"), List.of("confidence")));
    }

    @Test
    void returns404ForExperimentsOfAnotherWorkspace() {
        as(Accounts.account().create()).contentType("application/json").body(Map.of("experiment_id", candidate))
                .post("/api/v1/datasets/" + dataset + "/gate").then().statusCode(404);
        evaluate(Map.of("experiment_id", UUID.randomUUID())).then().statusCode(404);
    }

    private Response upload(String experiment, IntToDoubleFunction quality, IntToDoubleFunction correct,
            IntToDoubleFunction length) {
        TestUpload upload = TestUpload.ofRows(ROWS).with("experiment_name", experiment).with("dataset_name", name);
        for (int i = 0; i < ROWS; i++) {
            List<Map<String, Object>> scores = new ArrayList<>();
            scores.add(Map.of("key", "quality", "score", quality.applyAsDouble(i)));
            scores.add(Map.of("key", "correct", "score", correct.applyAsDouble(i)));
            scores.add(Map.of("key", "length", "score", length.applyAsDouble(i)));
            upload.rowAt(i).put("row_id", new UUID(0x7000L, 0x8000_0000_0000_0000L + i).toString());
            upload.rowAt(i).put("evaluation_scores", scores);
        }
        return as(account).contentType("application/json").body(upload.json()).post("/api/v1/datasets/upload-experiment");
    }

    private Response evaluate(Map<String, ?> request) {
        return as(account).contentType("application/json").body(request).post("/api/v1/datasets/" + dataset + "/gate");
    }
}
