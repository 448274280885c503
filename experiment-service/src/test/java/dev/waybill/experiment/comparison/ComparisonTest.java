package dev.waybill.experiment.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.time.Timestamps;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.upload.ExperimentBody;
import io.quarkus.test.junit.QuarkusTest;

/** Checks comparisons against an independent calculation from the uploaded bodies. */
@QuarkusTest
class ComparisonTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Account account = Accounts.account().create();

    /** Experiments of one dataset each; the first is the baseline. */
    static Stream<Group> groups() {
        Map<String, List<JsonNode>> byDataset = new TreeMap<>();
        ExperimentBody.real().map(body -> json(body.text()))
                .forEach(body -> byDataset.computeIfAbsent(body.get("dataset_name").asText(), name -> new ArrayList<>())
                        .add(body));
        List<JsonNode> generated = List.of(ExperimentFixtures.body("base", 1, 60), ExperimentFixtures.body("second", 2, 60),
                ExperimentFixtures.body("third", 3, 41));
        return Stream.concat(Stream.of(new Group("made", generated)),
                byDataset.entrySet().stream().map(entry -> new Group(entry.getKey(), entry.getValue())));
    }

    @ParameterizedTest
    @MethodSource("groups")
    void comparisonMatchesIndependentCalculation(Group group) {
        // Given
        List<SentExperiment> sent = group.bodies().stream().map(body -> SentExperiment.upload(account, body)).toList();

        // When
        JsonNode actual = compare(sent.getFirst().datasetId(),
                Map.of("experiment_ids", sent.stream().map(SentExperiment::id).toList(),
                        "baseline_experiment_id", sent.getFirst().id(), "limit", 100,
                        "higher_is_better", Map.of("answer_length", false, "graded", false)));

        // Then
        assertThat(actual.get("baseline_experiment_id").asText()).isEqualTo(sent.getFirst().id());
        assertThat(actual.get("experiments")).hasSameSizeAs(sent);
        for (int i = 0; i < sent.size(); i++) {
            assertExperiment(actual.get("experiments").get(i), sent.get(i), sent.getFirst());
        }
        assertRows(actual, sent);
    }

    private JsonNode compare(String dataset, Map<String, ?> request) {
        return post("/api/v1/datasets/" + dataset + "/comparison", JSON.valueToTree(request));
    }

    private JsonNode post(String path, JsonNode body) {
        RawHttpResponse response = RawHttpResponse.postJson(account, path, body.toString());
        assertThat(response.status()).isEqualTo(200);
        return response.json();
    }

    private static void assertExperiment(JsonNode actual, SentExperiment sent, SentExperiment baseline) {
        assertThat(actual.get("id").asText()).isEqualTo(sent.id());
        assertThat(actual.get("name").asText()).isEqualTo(sent.body().get("experiment_name").asText());
        assertThat(actual.get("run_count").asInt()).isEqualTo(sent.body().get("results").size());
        double[] latencies = sent.rows().values().stream().mapToDouble(ComparisonTest::latency).sorted().toArray();
        assertThat(actual.get("latency_p50").asDouble())
                .isCloseTo((latencies[latencies.length / 2] + latencies[(latencies.length - 1) / 2]) / 2, within(1e-9));
        assertThat(actual.get("error_rate").asDouble()).isCloseTo(
                (double) sent.rows().values().stream().filter(row -> row.hasNonNull("error")).count() / sent.rows().size(),
                within(1e-12));
        Set<String> keys = new TreeSet<>(sent.keys());
        keys.addAll(baseline.keys());
        assertThat(actual.get("feedback").properties().stream().map(Map.Entry::getKey)).containsExactlyElementsOf(keys);
        keys.forEach(key -> assertKey(actual.get("feedback").get(key), key, sent, baseline));
        assertAdjusted(actual.get("feedback"));
    }

    /** Holm: the largest of the p-values up to this one, each multiplied by the number of p-values that are not smaller. */
    private static void assertAdjusted(JsonNode keys) {
        double[] ascending = keys.valueStream().filter(key -> key.hasNonNull("p_value"))
                .mapToDouble(key -> key.get("p_value").asDouble()).sorted().toArray();
        keys.forEach(key -> {
            assertThat(key.hasNonNull("p_adjusted")).isEqualTo(key.hasNonNull("p_value"));
            double expected = IntStream.range(0, ascending.length)
                    .filter(i -> ascending[i] <= key.get("p_value").asDouble())
                    .mapToDouble(i -> Math.min(1, ascending[i] * (ascending.length - i)))
                    .max().orElse(0);
            assertThat(key.get("p_adjusted").asDouble()).isCloseTo(expected, within(1e-12));
        });
    }

    private static void assertNeeded(JsonNode actual, double[] differences) {
        double mean = Arrays.stream(differences).average().orElse(0);
        long changes = Arrays.stream(differences).filter(difference -> difference != 0).count();
        boolean decided = !actual.get("verdict").asText().startsWith("cannot tell");
        if (decided || changes == 0 || Math.abs(mean) < 1e-12) {
            assertThat(actual.get("n_needed").isNull()).isTrue();
            return;
        }
        double variance = Arrays.stream(differences).map(value -> (value - mean) * (value - mean)).sum()
                / (differences.length - 1);
        double byMean = Math.pow(1.959964 + 0.841621, 2) * variance / (mean * mean);
        double expected = Math.max(Math.max(byMean, 6.0 * differences.length / changes), differences.length + 1);
        assertThat(actual.get("n_needed").asDouble()).isBetween(expected - 1e-6 * expected, expected * (1 + 1e-6) + 1);
    }

    private static void assertKey(JsonNode actual, String key, SentExperiment sent, SentExperiment baseline) {
        Map<String, Double> ownScores = sent.scores(key);
        Map<String, Double> baselineScores = baseline.scores(key);
        assertThat(actual.get("n").asInt()).isEqualTo(ownScores.size());
        assertThat(actual.get("avg").isNull()).isEqualTo(ownScores.isEmpty());
        double mean = ownScores.values().stream().mapToDouble(score -> score).average().orElse(0);
        assertThat(actual.get("avg").asDouble()).isCloseTo(mean, within(1e-9 * Math.max(1, Math.abs(mean))));
        if (sent == baseline) {
            assertThat(actual.get("delta").isNull()).isTrue();
            assertThat(actual.get("verdict").isNull()).isTrue();
            return;
        }
        Set<String> both = new HashSet<>(ownScores.keySet());
        both.retainAll(baselineScores.keySet());
        double[] differences = both.stream().mapToDouble(row -> ownScores.get(row) - baselineScores.get(row)).toArray();
        boolean lower = key.equals("answer_length") || key.equals("graded");
        long up = Arrays.stream(differences).filter(difference -> difference > 0).count();
        long down = Arrays.stream(differences).filter(difference -> difference < 0).count();
        assertThat(actual.get("better").asLong()).as(key).isEqualTo(lower ? down : up);
        assertThat(actual.get("worse").asLong()).as(key).isEqualTo(lower ? up : down);
        assertThat(actual.get("same").asLong()).as(key).isEqualTo(differences.length - up - down);
        assertThat(actual.get("missing").asLong()).as(key)
                .isEqualTo(ownScores.size() + baselineScores.size() - 2L * both.size());
        assertThat(actual.get("higher_is_better").asBoolean()).isEqualTo(!lower);
        if (differences.length > 0) {
            double delta = Arrays.stream(differences).average().orElseThrow();
            assertThat(actual.get("delta").asDouble()).isCloseTo(delta, within(1e-9 * Math.max(1, Math.abs(delta))));
        }
        assertVerdict(actual, differences, lower);
    }

    private static void assertVerdict(JsonNode actual, double[] differences, boolean lower) {
        if (differences.length < 2) {
            assertThat(actual.get("interval").isNull()).isTrue();
            assertThat(actual.get("verdict").asText()).isEqualTo("cannot tell at n = " + differences.length);
            return;
        }
        double low = actual.get("interval").get(0).asDouble();
        double high = actual.get("interval").get(1).asDouble();
        assertThat(low).isLessThanOrEqualTo(actual.get("delta").asDouble() + 1e-9);
        assertThat(high).isGreaterThanOrEqualTo(actual.get("delta").asDouble() - 1e-9);
        if (differences.length >= 50) {
            // With this many values the bootstrap interval is close to the normal approximation.
            double mean = Arrays.stream(differences).average().orElseThrow();
            double error = Math.sqrt(Arrays.stream(differences).map(value -> (value - mean) * (value - mean)).sum())
                    / differences.length;
            assertThat(high - low).isCloseTo(2 * 1.96 * error, within(0.3 * 2 * 1.96 * error + 1e-12));
        }
        boolean sure = actual.get("p_value").asDouble() < 0.05;
        String expected = sure && low > 0 ? lower ? "worse" : "better"
                : sure && high < 0 ? lower ? "better" : "worse" : "cannot tell at n = " + differences.length;
        assertThat(actual.get("verdict").asText()).isEqualTo(expected);
        assertNeeded(actual, differences);
    }

    private static void assertRows(JsonNode actual, List<SentExperiment> sent) {
        Set<String> rowIds = sent.stream().flatMap(one -> one.rows().keySet().stream()).collect(Collectors.toSet());
        assertThat(actual.get("total").asInt()).isEqualTo(rowIds.size());
        assertThat(actual.get("rows")).hasSize(Math.min(100, rowIds.size()));
        List<String> shown = new ArrayList<>();
        for (JsonNode row : actual.get("rows")) {
            String id = row.get("example_id").asText();
            shown.add(id);
            List<SentExperiment> uploadsOfRow = sent.stream().filter(one -> one.rows().containsKey(id)).toList();
            JsonNode newest = uploadsOfRow.getLast().rows().get(id);
            assertThat(row.get("inputs")).isEqualTo(newest.get("inputs"));
            assertThat(row.get("inputs_differ").asBoolean())
                    .isEqualTo(uploadsOfRow.stream()
                            .anyMatch(one -> !one.rows().get(id).get("inputs").equals(newest.get("inputs"))));
            assertThat(row.get("runs")).hasSameSizeAs(uploadsOfRow);
            for (int i = 0; i < uploadsOfRow.size(); i++) {
                assertRun(row.get("runs").get(i), uploadsOfRow.get(i), id);
            }
        }
        assertThat(shown).isSorted().doesNotHaveDuplicates();
    }

    private static void assertRun(JsonNode actual, SentExperiment sent, String id) {
        JsonNode row = sent.rows().get(id);
        assertThat(actual.get("experiment_id").asText()).isEqualTo(sent.id());
        assertThat(actual.get("outputs").toString())
                .isEqualTo(row.hasNonNull("actual_outputs") ? row.get("actual_outputs").toString() : "null");
        assertThat(actual.get("error").isNull()).isEqualTo(!row.hasNonNull("error"));
        assertThat(actual.get("latency").asDouble()).isCloseTo(latency(row), within(1e-9));
        assertThat(actual.get("n").asInt()).isEqualTo(1);
        Map<String, Double> scores = new TreeMap<>();
        sent.keys().forEach(key -> {
            if (sent.scores(key).containsKey(id)) {
                scores.put(key, sent.scores(key).get(id));
            }
        });
        assertThat(actual.get("feedback").properties()).hasSameSizeAs(scores.keySet());
        scores.forEach((key, score) -> assertThat(actual.get("feedback").get(key).asDouble()).isCloseTo(score, within(1e-12)));
    }

    private static double latency(JsonNode row) {
        return Duration
                .between(Timestamps.parse(row.get("start_time").asText()), Timestamps.parse(row.get("end_time").asText()))
                .toNanos() / 1e9;
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    record Group(String name, List<JsonNode> bodies) {

        @Override
        public String toString() {
            return name;
        }
    }
}
