package dev.waybill.experiment.comparison;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Rows that are sorted and filtered by one experiment, compared with a calculation from the uploaded scores. */
@QuarkusTest
class RowSelectionTest {

    private final Account account = Accounts.account().create();
    private List<SentExperiment> sent;

    @BeforeEach
    void uploadThree() {
        sent = SentExperiment.uploadThree(account);
    }

    @Test
    void rowsAreSortedByTheDifferenceOfOneExperiment() {
        for (int experiment : List.of(1, 2)) {
            for (String key : List.of("continuous", "graded", "boolean", "only in 1")) {
                Comparator<String> byDifference = Comparator.comparing(row -> difference(experiment, key, row),
                        Comparator.nullsLast(Comparator.naturalOrder()));
                Comparator<String> highestFirst = Comparator.comparing(row -> difference(experiment, key, row),
                        Comparator.nullsLast(Comparator.reverseOrder()));
                Map<String, Object> request = Map.of("feedback_key", key, "experiment_id", sent.get(experiment).id());

                assertRows(request, "difference", row -> true, byDifference);
                assertRows(request, "-difference", row -> true, highestFirst);
            }
        }
    }

    @Test
    void filtersApplyToTheNamedExperiment() {
        for (int experiment : List.of(1, 2)) {
            for (String key : List.of("continuous", "graded", "boolean", "only in 1", "only in 2")) {
                Map<String, Object> request = Map.of("feedback_key", key, "experiment_id", sent.get(experiment).id(),
                        "higher_is_better", Map.of("graded", false));
                boolean higherIsBetter = !key.equals("graded");

                assertRows(request, "better", row -> sign(experiment, key, row, higherIsBetter) == 1);
                assertRows(request, "worse", row -> sign(experiment, key, row, higherIsBetter) == -1);
                assertRows(request, "same", row -> Objects.equals(difference(experiment, key, row), 0.0));
                assertRows(request, "missing",
                        row -> (score(experiment, key, row) == null) != (score(0, key, row) == null));
            }
        }
    }

    @Test
    void filteredRowsAreAsManyAsTheSummaryCounts() {
        // Given
        JsonNode summary = compare(Map.of("parts", List.of("summary")));

        for (int experiment : List.of(1, 2)) {
            for (String key : List.of("continuous", "graded", "boolean", "only in 3")) {
                JsonNode counts = summary.at("/experiments/" + experiment + "/feedback").get(key);
                if (counts != null) {
                    for (String filter : List.of("better", "worse", "same", "missing")) {
                        // When
                        JsonNode rows = compare(Map.of("parts", List.of("rows"), "feedback_key", key, "filter", filter,
                                "experiment_id", sent.get(experiment).id()));

                        // Then
                        assertThat(rows.get("total").asLong()).as(key + " " + filter).isEqualTo(counts.get(filter).asLong());
                    }
                }
            }
        }
    }

    @Test
    void rowsAreSelectedByRangesOfScoresAndDifferences() {
        String key = "continuous";
        String base = sent.get(0).id();
        String second = sent.get(1).id();
        String third = sent.get(2).id();

        assertRows(Map.of("feedback_key", key, "score_ranges", List.of(Map.of("experiment_id", second, "gte", 1.5, "lt", 2.5))),
                null, row -> is(score(1, key, row), score -> score >= 1.5 && score < 2.5), naturalOrder());
        assertRows(Map.of("feedback_key", key, "score_ranges", List.of(Map.of("experiment_id", base, "gt", 0.5),
                Map.of("experiment_id", third, "lte", 3))), null,
                row -> is(score(0, key, row), score -> score > 0.5) && is(score(2, key, row), score -> score <= 3),
                naturalOrder());
        assertRows(Map.of("feedback_key", key, "experiment_id", third,
                "difference_ranges", List.of(Map.of("experiment_id", second, "lt", 0.5)),
                "score_ranges", List.of(Map.of("experiment_id", base, "gte", 0))), "difference",
                row -> is(difference(1, key, row), difference -> difference < 0.5)
                        && is(score(0, key, row), score -> score >= 0),
                Comparator.comparing(row -> difference(2, key, row), Comparator.nullsLast(Comparator.naturalOrder())));
    }

    @Test
    void boundsOfRangesAreExact() {
        String second = sent.get(1).id();
        List<Map<String, Object>> bounds = List.of(Map.of("gte", 1, "lte", 1), Map.of("gt", 0, "lt", 1), Map.of("gt", 0),
                Map.of("gte", 0), Map.of("lte", 0), Map.of("lt", 0));
        List<Predicate<Double>> expected = List.of(value -> value == 1, value -> value > 0 && value < 1, value -> value > 0,
                value -> value >= 0, value -> value <= 0, value -> value < 0);
        for (int i = 0; i < bounds.size(); i++) {
            Predicate<Double> matches = expected.get(i);
            Map<String, Object> range = new HashMap<>(bounds.get(i));
            range.put("experiment_id", second);

            assertRows(Map.of("feedback_key", "boolean", "difference_ranges", List.of(range)), null,
                    row -> is(difference(1, "boolean", row), matches), naturalOrder());
        }
    }

    @Test
    void pagesFollowEachOtherWithoutGaps() {
        // Given
        Map<String, Object> request = new HashMap<>(Map.of("parts", List.of("rows"), "feedback_key", "graded", "sort",
                "-difference", "experiment_id", sent.get(1).id()));
        List<String> complete = ids(compare(request, "limit", 100));

        // When
        List<String> paged = new ArrayList<>();
        for (int offset = 0; offset < 70; offset += 7) {
            request.put("offset", offset);
            JsonNode page = compare(request, "limit", 7);
            assertThat(page.get("total").asInt()).isEqualTo(60);
            paged.addAll(ids(page));
        }

        // Then
        assertThat(paged).isEqualTo(complete).hasSize(60);
    }

    private void assertRows(Map<String, Object> request, String filter, Predicate<String> selected) {
        Map<String, Object> filtered = new HashMap<>(request);
        filtered.put("filter", filter);
        assertRows(filtered, null, selected, naturalOrder());
    }

    private void assertRows(Map<String, Object> request, String sort, Predicate<String> selected, Comparator<String> order) {
        Map<String, Object> complete = new HashMap<>(request);
        complete.put("parts", List.of("rows"));
        if (sort != null) {
            complete.put("sort", sort);
        }
        List<String> expected = rows().filter(selected).sorted(order.thenComparing(Comparator.naturalOrder())).toList();

        JsonNode response = compare(complete, "limit", 100);

        assertThat(ids(response)).as(complete.toString()).isEqualTo(expected);
        assertThat(response.get("total").asInt()).isEqualTo(expected.size());
    }

    private Stream<String> rows() {
        return new TreeSet<>(sent.stream().flatMap(one -> one.rows().keySet().stream()).toList()).stream();
    }

    private Double score(int experiment, String key, String row) {
        return sent.get(experiment).scores(key).get(row);
    }

    private Double difference(int experiment, String key, String row) {
        Double own = score(experiment, key, row);
        Double base = score(0, key, row);
        return own == null || base == null ? null : own - base;
    }

    private int sign(int experiment, String key, String row, boolean higherIsBetter) {
        Double difference = difference(experiment, key, row);
        return difference == null ? 0 : (int) Math.signum(higherIsBetter ? difference : -difference);
    }

    private static boolean is(Double value, Predicate<Double> condition) {
        return value != null && condition.test(value);
    }

    private static Comparator<String> naturalOrder() {
        return Comparator.naturalOrder();
    }

    private static List<String> ids(JsonNode response) {
        return response.get("rows").valueStream().map(row -> row.get("example_id").asText()).toList();
    }

    private JsonNode compare(Map<String, Object> request, String member, Object value) {
        Map<String, Object> longer = new HashMap<>(request);
        longer.put(member, value);
        return compare(longer);
    }

    private JsonNode compare(Map<String, Object> request) {
        Map<String, Object> complete = new HashMap<>(request);
        complete.put("experiment_ids", sent.stream().map(SentExperiment::id).toList());
        complete.put("baseline_experiment_id", sent.getFirst().id());
        Response response = as(account).contentType("application/json").body(complete)
                .post("/api/v1/datasets/" + sent.getFirst().datasetId() + "/comparison");
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
        return response.as(JsonNode.class);
    }
}
