package dev.waybill.experiment.comparison;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;

/** Parts of a comparison, its distribution, and the errors of requests for them. */
@QuarkusTest
class ComparisonPartsTest {

    private final Account account = Accounts.account().create();
    private List<SentExperiment> sent;

    @BeforeEach
    void uploadThree() {
        sent = SentExperiment.uploadThree(account);
    }

    @Test
    void responseHasTheRequestedPartsOnly() {
        assertThat(members(Map.of())).containsExactly("baseline_experiment_id", "experiments", "rows", "total");
        assertThat(members(Map.of("parts", List.of("summary")))).containsExactly("baseline_experiment_id", "experiments");
        assertThat(members(Map.of("parts", List.of("rows")))).containsExactly("baseline_experiment_id", "rows", "total");
        assertThat(members(distribution("continuous", 1, 20))).containsExactly("baseline_experiment_id", "distribution");
        Map<String, Object> all = distribution("continuous", 1, 20);
        all.put("parts", List.of("distribution", "rows", "summary", "rows"));
        compare(all).statusCode(422).body("errors.loc", equalTo(List.of(List.of("parts"))));
        all.put("parts", List.of("distribution", "rows", "summary"));
        assertThat(members(all)).containsExactly("baseline_experiment_id", "experiments", "rows", "total", "distribution");
    }

    @Test
    void partsEqualThoseOfTheCompleteResponse() {
        // Given
        JsonNode complete = json(Map.of("feedback_key", "graded", "sort", "difference", "filter", "worse", "limit", 5));

        // Then
        assertThat(json(Map.of("parts", List.of("summary"))).get("experiments")).isEqualTo(complete.get("experiments"));
        JsonNode rows = json(Map.of("parts", List.of("rows"), "feedback_key", "graded", "sort", "difference", "filter", "worse",
                "limit", 5));
        assertThat(rows.get("rows")).isEqualTo(complete.get("rows")).hasSize(5);
        assertThat(rows.get("total")).isEqualTo(complete.get("total"));
    }

    @Test
    void distributionMatchesIndependentCalculation() {
        for (int experiment : List.of(1, 2)) {
            for (String key : List.of("continuous", "graded", "boolean", "only in 1")) {
                for (int bins : List.of(1, 7, 20, 100)) {
                    assertDistribution(json(distribution(key, experiment, bins)).get("distribution"), key, experiment, bins);
                }
            }
        }
    }

    private void assertDistribution(JsonNode actual, String key, int experiment, int bins) {
        Map<String, Double> base = new HashMap<>(sent.getFirst().scores(key));
        Map<String, Double> own = sent.get(experiment).scores(key);
        base.keySet().retainAll(own.keySet());
        double[] differences = base.keySet().stream().mapToDouble(row -> own.get(row) - base.get(row)).toArray();
        assertThat(actual.get("n").asInt()).isEqualTo(differences.length);
        assertThat(actual.get("feedback_key").asText()).isEqualTo(key);
        assertThat(actual.get("experiment_id").asText()).isEqualTo(sent.get(experiment).id());
        assertThat(actual.get("differences").size()).isLessThanOrEqualTo(bins + 3);
        long counted = 0;
        for (JsonNode bin : actual.get("differences")) {
            long expected = Arrays.stream(differences).filter(value -> contains(bin.get("range"), value)).count();
            assertThat(bin.get("count").asLong()).as(key + " " + bin).isEqualTo(expected);
            counted += expected;
        }
        assertThat(counted).isEqualTo(differences.length);
        counted = 0;
        for (JsonNode cell : actual.get("scores")) {
            long expected = base.keySet().stream()
                    .filter(row -> contains(cell.get("baseline"), base.get(row)) && contains(cell.get("score"), own.get(row)))
                    .count();
            assertThat(cell.get("count").asLong()).as(key + " " + cell).isEqualTo(expected).isPositive();
            counted += expected;
        }
        assertThat(counted).isEqualTo(differences.length);
    }

    private static boolean contains(JsonNode range, double value) {
        return (!range.has("gt") || value > range.get("gt").asDouble())
                && (!range.has("gte") || value >= range.get("gte").asDouble())
                && (!range.has("lt") || value < range.get("lt").asDouble())
                && (!range.has("lte") || value <= range.get("lte").asDouble());
    }

    @Test
    @Tag("full")
    void binsSelectAsManyRowsAsTheyCount() {
        // Given
        JsonNode distribution = json(distribution("graded", 1, 10)).get("distribution");

        for (JsonNode bin : distribution.get("differences")) {
            // When
            Map<String, Object> range = range(bin.get("range"), 1);
            JsonNode rows = json(
                    Map.of("parts", List.of("rows"), "feedback_key", "graded", "difference_ranges", List.of(range)));

            // Then
            assertThat(rows.get("total").asLong()).as(bin.toString()).isEqualTo(bin.get("count").asLong());
        }
        for (JsonNode cell : distribution.get("scores")) {
            List<Map<String, Object>> ranges = List.of(range(cell.get("baseline"), 0), range(cell.get("score"), 1));
            JsonNode rows = json(Map.of("parts", List.of("rows"), "feedback_key", "graded", "score_ranges", ranges));
            assertThat(rows.get("total").asLong()).as(cell.toString()).isEqualTo(cell.get("count").asLong());
        }
    }

    private Map<String, Object> range(JsonNode range, int experiment) {
        Map<String, Object> bounds = new HashMap<>();
        range.properties().forEach(bound -> bounds.put(bound.getKey(), bound.getValue().asDouble()));
        bounds.put("experiment_id", sent.get(experiment).id());
        return bounds;
    }

    @Test
    void distributionDefaultsToTheOnlyComparedExperiment() {
        as(account).contentType("application/json")
                .body(Map.of("experiment_ids", List.of(sent.get(0).id(), sent.get(1).id()), "parts", List.of("distribution"),
                        "feedback_key", "boolean"))
                .post("/api/v1/datasets/" + sent.getFirst().datasetId() + "/comparison").then().statusCode(200)
                .body("distribution.experiment_id", equalTo(sent.get(1).id())).body("distribution.n", equalTo(60));
        compare(Map.of("parts", List.of("distribution"), "feedback_key", "unknown", "experiment_id", sent.get(1).id()))
                .statusCode(200).body("distribution.n", equalTo(0)).body("distribution.differences", hasSize(0))
                .body("distribution.scores", hasSize(0));
    }

    @Test
    void returns422WithAllViolationsOfParts() {
        compare(Map.of("parts", List.of("rows", "chart"), "bins", 0, "experiment_id", "none", "score_ranges",
                List.of(Map.of("gt", 1, "gte", 2, "lt", 1, "lte", 0)), "difference_ranges",
                List.of(Map.of("experiment_id", sent.get(1).id()), Map.of("experiment_id", sent.get(1).id(), "gte", 2, "lt", 2),
                        Map.of("experiment_id", sent.get(1).id(), "gt", 0, "lt", "much"))))
                .statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("parts", 1), List.of("bins"),
                        List.of("experiment_id"), List.of("feedback_key"), List.of("score_ranges", 0, "experiment_id"),
                        List.of("score_ranges", 0, "gt"), List.of("score_ranges", 0, "lt"), List.of("score_ranges", 0),
                        List.of("difference_ranges", 0), List.of("difference_ranges", 1),
                        List.of("difference_ranges", 2, "lt")));
    }

    @Test
    void membersThatNeedAFeedbackKeyAreRejectedWithoutIt() {
        Map<String, Object> range = Map.of("experiment_id", sent.get(1).id(), "gt", 0);
        compare(Map.of("score_ranges", List.of(range))).statusCode(422)
                .body("errors.loc", equalTo(List.of(List.of("feedback_key"))))
                .body("detail", containsString("must be given to select rows by ranges"));
        compare(Map.of("difference_ranges", List.of(range))).statusCode(422);
        compare(Map.of("parts", List.of("distribution"))).statusCode(422)
                .body("errors.loc", equalTo(List.of(List.of("feedback_key"))))
                .body("detail", containsString("must be given for the part distribution"));
    }

    @Test
    void experimentsThatAreNotComparedAreRejected() {
        String other = UUID.randomUUID().toString();
        String base = sent.getFirst().id();
        compare(Map.of("feedback_key", "k", "experiment_id", base,
                "score_ranges", List.of(Map.of("experiment_id", base, "gt", 0), Map.of("experiment_id", other, "gt", 0)),
                "difference_ranges", List.of(Map.of("experiment_id", base, "gt", 0), Map.of("experiment_id", other, "gt", 0))))
                .statusCode(422)
                .body("errors.loc", equalTo(List.of(List.of("experiment_id"), List.of("score_ranges", 1, "experiment_id"),
                        List.of("difference_ranges", 0, "experiment_id"), List.of("difference_ranges", 1, "experiment_id"))))
                .body("errors[0].message", containsString("must not be the baseline"))
                .body("errors[1].message", containsString("add " + other + " to experiment_ids"));
        compare(Map.of("feedback_key", "k", "parts", List.of("distribution"))).statusCode(422)
                .body("errors.loc", equalTo(List.of(List.of("experiment_id"))))
                .body("detail", containsString("2 experiments are compared with the baseline"));
        as(account).contentType("application/json")
                .body(Map.of("experiment_ids", List.of(base), "parts", List.of("distribution"), "feedback_key", "k"))
                .post("/api/v1/datasets/" + sent.getFirst().datasetId() + "/comparison").then().statusCode(422)
                .body("errors.loc", equalTo(List.of(List.of("experiment_ids"))));
    }

    @Test
    void csvRejectsPartsAndSelections() {
        Map<String, Object> request = request(Map.of("feedback_key", "k", "parts", List.of("rows"), "experiment_id",
                sent.get(1).id(), "bins", 5, "score_ranges", List.of(), "difference_ranges", List.of()));
        as(account).contentType("application/json").accept("text/csv").body(request)
                .post("/api/v1/datasets/" + sent.getFirst().datasetId() + "/comparison").then().statusCode(422)
                .body("errors", hasSize(5));
    }

    private Map<String, Object> distribution(String key, int experiment, int bins) {
        return new HashMap<>(Map.of("parts", List.of("distribution"), "feedback_key", key, "experiment_id",
                sent.get(experiment).id(), "bins", bins));
    }

    private List<String> members(Map<String, Object> request) {
        return json(request).properties().stream().map(Map.Entry::getKey).toList();
    }

    private JsonNode json(Map<String, Object> request) {
        return compare(request).statusCode(200).extract().as(JsonNode.class);
    }

    private ValidatableResponse compare(Map<String, Object> request) {
        return as(account).contentType("application/json").body(request(request))
                .post("/api/v1/datasets/" + sent.getFirst().datasetId() + "/comparison").then();
    }

    private Map<String, Object> request(Map<String, Object> members) {
        Map<String, Object> request = new HashMap<>(members);
        request.put("experiment_ids", sent.stream().map(SentExperiment::id).toList());
        request.put("baseline_experiment_id", sent.getFirst().id());
        return request;
    }
}
