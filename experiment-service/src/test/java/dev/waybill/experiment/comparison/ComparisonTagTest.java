package dev.waybill.experiment.comparison;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/** Entity tags of comparisons: a response is not modified exactly as long as nothing in it has changed. */
@QuarkusTest
class ComparisonTagTest {

    private static final List<String> ROWS = IntStream.rangeClosed(1, 5)
            .mapToObj(i -> new UUID(0x7000L, 0x8000_0000_0000_0000L + i).toString()).toList();

    private final Account account = Accounts.account().create();
    private final String name = "d " + UUID.randomUUID();
    private String dataset;
    private String uploaded;
    private String traced;
    private final List<TestRun> runs = new ArrayList<>();

    /** One uploaded experiment, and one of traces with a score for each run. */
    @BeforeEach
    void createTwo() {
        Response upload = upload(name, "why?");
        dataset = upload.path("dataset.id");
        uploaded = upload.path("experiment.id");
        traced = json().body(Map.of("name", "traced " + name, "reference_dataset_id", dataset)).post("/sessions").path("id");
        for (String row : ROWS) {
            runs.add(store(TestRun.root().with("session_id", traced).with("reference_example_id", row)));
            score(UUID.randomUUID(), runs.getLast().id(), 0.25);
        }
    }

    @Test
    void unchangedComparisonReturns304() {
        // Given
        Response first = compare(Map.of(), null);

        // When
        Response second = compare(Map.of(), tag(first));

        // Then
        assertThat(tag(first)).startsWith("W/\"");
        assertThat(first.header("Cache-Control")).isEqualTo("private, no-cache");
        assertThat(second.statusCode()).isEqualTo(304);
        assertThat(second.asString()).isEmpty();
        assertThat(tag(second)).isEqualTo(tag(first));
        assertThat(compare(Map.of(), "\"other\", " + tag(first)).statusCode()).isEqualTo(304);
        assertThat(compare(Map.of(), "\"other\"").statusCode()).isEqualTo(200);
        assertThat(compare(Map.of(), "*").statusCode()).isEqualTo(304);
    }

    @Test
    void otherRequestsHaveOtherTags() {
        List<Map<String, Object>> requests = List.of(Map.of(), Map.of("parts", List.of("rows")),
                Map.of("parts", List.of("summary")), Map.of("limit", 1), Map.of("offset", 1),
                Map.of("feedback_key", "correctness"), Map.of("feedback_key", "null"), Map.of("filter", "worse"),
                Map.of("feedback_key", "correctness", "sort", "difference"),
                Map.of("feedback_key", "correctness", "sort", "-difference"), Map.of("experiment_id", traced),
                Map.of("higher_is_better", Map.of("correctness", false)),
                Map.of("higher_is_better", Map.of("other", false)), Map.of("baseline_experiment_id", traced),
                Map.of("feedback_key", "correctness", "score_ranges", List.of(Map.of("experiment_id", traced, "gt", 0))),
                Map.of("feedback_key", "correctness", "score_ranges", List.of(Map.of("experiment_id", traced, "gte", 0))),
                Map.of("feedback_key", "correctness", "difference_ranges", List.of(Map.of("experiment_id", traced, "gt", 0))),
                Map.of("feedback_key", "correctness", "parts", List.of("distribution")),
                Map.of("feedback_key", "correctness", "parts", List.of("distribution"), "bins", 5));

        assertThat(requests.stream().map(request -> tag(compare(request, null)))).doesNotHaveDuplicates();
    }

    @Test
    void unknownExperimentsAndKeysAreCheckedBeforeTheTag() {
        String tag = tag(compare(Map.of(), null));

        assertThat(compare(Map.of("limit", 0), tag).statusCode()).isEqualTo(422);
        assertThat(compare(Map.of("experiment_ids", List.of(UUID.randomUUID())), "*").statusCode()).isEqualTo(404);
        assertThat(as(Accounts.account().create()).contentType("application/json").header("If-None-Match", "*")
                .body(request(Map.of())).post(path()).statusCode()).isEqualTo(404);
    }

    @TestFactory
    Stream<DynamicTest> everyChangeHasANewTag() {
        UUID feedback = UUID.randomUUID();
        TestRun late = TestRun.root().with("session_id", traced).with("reference_example_id", ROWS.getFirst());
        Map<String, Runnable> changes = new LinkedHashMap<>();
        changes.put("new feedback", () -> score(feedback, runs.getFirst().id(), 0.75));
        changes.put("changed feedback",
                () -> json().body(Map.of("score", 1)).patch("/api/v1/feedback/" + feedback).then().statusCode(200));
        changes.put("feedback that is sent again", () -> score(feedback, runs.getFirst().id(), 0.5));
        changes.put("deleted feedback", () -> as(account).delete("/api/v1/feedback/" + feedback).then().statusCode(200));
        changes.put("run after its feedback", () -> {
            score(UUID.randomUUID(), late.id(), 0.125);
            store(late);
        });
        changes.put("changed run", () -> json().body(Map.of("outputs", Map.of("answer", "changed"), "trace_id",
                runs.get(1).get("trace_id"), "dotted_order", runs.get(1).dottedOrder())).patch("/runs/" + runs.get(1).id())
                .then().statusCode(202));
        changes.put("run without an example", () -> store(TestRun.root().with("session_id", traced)));
        changes.put("renamed experiment",
                () -> json().body(Map.of("name", "renamed " + name)).patch("/sessions/" + traced).then().statusCode(200));
        changes.put("directions", () -> json().body(Map.of("higher_is_better", Map.of("correctness", false)))
                .patch("/api/v1/datasets/" + dataset).then().statusCode(200));
        changes.put("changed inputs of an example", () -> upload("third " + name, "why now?"));
        changes.put("deleted run",
                () -> Rows.value("DELETE FROM trace.runs WHERE tenant_id = ? AND id = ?", account.workspaceId(), late.id()));
        changes.put("deleted example", () -> Rows.value("DELETE FROM trace.examples WHERE tenant_id = ? AND id = ?",
                account.workspaceId(), UUID.fromString(ROWS.getLast())));
        return changes.entrySet().stream().map(change -> DynamicTest.dynamicTest(change.getKey(), () -> {
            // Given
            Response before = compare(Map.of(), null);
            assertThat(compare(Map.of(), tag(before)).statusCode()).isEqualTo(304);

            // When
            change.getValue().run();

            // Then
            Response after = compare(Map.of(), tag(before));
            assertThat(after.statusCode()).isEqualTo(200);
            assertThat(tag(after)).isNotEqualTo(tag(before));
            assertThat(after.asString()).isNotEqualTo(before.asString());
            assertThat(compare(Map.of(), tag(after)).statusCode()).isEqualTo(304);
        }));
    }

    @Test
    void unrelatedWritesKeepTheTag() {
        // Given
        Map<String, Object> summary = Map.of("parts", List.of("summary"));
        String rows = tag(compare(Map.of(), null));
        String tag = tag(compare(summary, null));

        // When
        TestRun other = store(TestRun.root().with("session_name", "project " + name));
        score(UUID.randomUUID(), other.id(), 1);
        store(TestRun.below(runs.getFirst()).with("session_id", traced));
        json().body(Map.of("session_id", traced, "key", "correctness", "score", 1)).post("/api/v1/feedback").then()
                .statusCode(200);

        // Then
        assertThat(compare(Map.of(), rows).statusCode()).isEqualTo(304);
        json().body(TestUpload.ofRows(2).json()).post("/api/v1/datasets/upload-experiment").then().statusCode(200);
        assertThat(compare(summary, tag).statusCode()).isEqualTo(304);
    }

    @Test
    void changesThatCommitInAnotherOrderHaveNewTags() throws SQLException {
        UUID feedback = UUID.randomUUID();
        score(feedback, runs.getFirst().id(), 0.25);
        try (Connection earlier = Rows.asService()) {
            // Given
            earlier.setAutoCommit(false);
            Rows.value(earlier, "SELECT set_config('waybill.tenant_id', ?, true)", account.workspaceId().toString());
            Rows.value(earlier, "UPDATE trace.feedback SET score = 5 WHERE tenant_id = ? AND id = ?", account.workspaceId(),
                    feedback);
            score(UUID.randomUUID(), runs.getLast().id(), 0.5);
            Response between = compare(Map.of(), null);

            // When
            earlier.commit();

            // Then
            Response after = compare(Map.of(), tag(between));
            assertThat(after.statusCode()).isEqualTo(200);
            assertThat(score(after, 0)).isEqualTo((0.25 + 5) / 2);
            assertThat(score(between, 0)).isEqualTo(0.25);
        }
    }

    @Test
    void feedbackWithoutSessionHasANewTagWhenItCommits() throws SQLException {
        TestRun late = TestRun.root().with("session_id", traced).with("reference_example_id", ROWS.getFirst());
        try (Connection earlier = Rows.asService()) {
            // Given: feedback that could not see its run
            earlier.setAutoCommit(false);
            Rows.value(earlier, "SELECT set_config('waybill.tenant_id', ?, true)", account.workspaceId().toString());
            Rows.value(earlier, """
                    INSERT INTO trace.feedback (tenant_id, id, run_id, key, score, created_at, modified_at)
                    VALUES (?, gen_random_uuid(), ?, 'correctness', 1.25, now(), now())""", account.workspaceId(), late.id());
            store(late);
            Response between = compare(Map.of(), null);

            // When
            earlier.commit();

            // Then
            Response after = compare(Map.of(), tag(between));
            assertThat(after.statusCode()).isEqualTo(200);
            assertThat(score(after, 0)).isEqualTo((0.25 + 1.25) / 2);
        }
    }

    @Test
    void rolledBackChangesKeepTheTag() throws SQLException {
        String before = tag(compare(Map.of(), null));
        try (Connection connection = Rows.asService()) {
            connection.setAutoCommit(false);
            Rows.value(connection, "SELECT set_config('waybill.tenant_id', ?, true)", account.workspaceId().toString());
            Rows.value(connection, "UPDATE trace.feedback SET score = 5 WHERE tenant_id = ?", account.workspaceId());
            assertThat(compare(Map.of(), before).statusCode()).isEqualTo(304);
            connection.rollback();
        }

        assertThat(compare(Map.of(), before).statusCode()).isEqualTo(304);
    }

    @Test
    @Tag("full")
    void concurrentWritersNeverReceiveAStale304() throws InterruptedException, ExecutionException {
        // Given
        List<UUID> feedback = runs.stream().map(run -> UUID.randomUUID()).toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(ROWS.size())) {
            // When
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < ROWS.size(); writer++) {
                int row = writer;
                writers.add(threads.submit(() -> writeAndCompare(feedback.get(row), row)));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        }

        // Then
        JsonNode last = compare(Map.of(), null).as(JsonNode.class);
        for (int row = 0; row < ROWS.size(); row++) {
            assertThat(last.at("/rows/" + row + "/runs/1/feedback/correctness").asDouble()).isEqualTo((0.25 + 14) / 2);
        }
        assertThat(last.at("/experiments/1/feedback/correctness/avg").asDouble()).isEqualTo((0.25 + 14) / 2);
    }

    @Test
    @Tag("full")
    void partsAreConsistentWhileScoresAreWritten() throws Exception {
        // Given
        UUID feedback = UUID.randomUUID();
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            AtomicBoolean isDone = new AtomicBoolean();
            Future<?> writer = threads.submit(() -> {
                for (int i = 0; !isDone.get(); i++) {
                    score(feedback, runs.get(i % ROWS.size()).id(), i % 2 == 0 ? i : -i);
                }
            });

            // When
            for (int i = 0; i < 60; i++) {
                Response response = compare(Map.of("feedback_key", "correctness", "parts",
                        List.of("summary", "rows", "distribution"), "experiment_id", traced), null);

                // Then
                assertThat(response.statusCode()).as(response.asString()).isEqualTo(200);
                assertConsistent(response.as(JsonNode.class));
            }
            isDone.set(true);
            writer.get();
        }
    }

    private static void assertConsistent(JsonNode response) {
        JsonNode summary = response.at("/experiments/1/feedback/correctness");
        JsonNode distribution = response.get("distribution");
        double average = response.get("rows").valueStream()
                .mapToDouble(row -> row.at("/runs/1/feedback/correctness").asDouble())
                .average()
                .orElseThrow();
        assertThat(summary.get("avg").asDouble()).isCloseTo(average, within(1e-6));
        assertThat(count(distribution.get("differences"))).isEqualTo(distribution.get("n").asLong());
        assertThat(count(distribution.get("scores"))).isEqualTo(distribution.get("n").asLong());
        assertThat(distribution.get("n").asLong()).isEqualTo(summary.get("better").asLong() + summary.get("worse").asLong()
                + summary.get("same").asLong());
    }

    private static long count(JsonNode bins) {
        return bins.valueStream().mapToLong(bin -> bin.get("count").asLong()).sum();
    }

    @Test
    void scoreOfAnotherSessionIsNotCompared() {
        // Given: feedback that arrives before its run and names another session
        TestRun late = TestRun.root().with("session_id", traced).with("reference_example_id", ROWS.getFirst());
        TestRun other = store(TestRun.root().with("session_name", "project " + name));
        String project = as(account).get("/runs/" + other.id()).path("session_id");
        json().body(Map.of("run_id", late.id(), "session_id", project, "key", "correctness", "score", 7))
                .post("/api/v1/feedback").then().statusCode(200);

        // When
        store(late);

        // Then
        Response response = compare(Map.of(), null);
        assertThat(score(response, 0)).isEqualTo(0.25);
        assertThat(response.as(JsonNode.class).at("/experiments/1/feedback/correctness/avg").asDouble()).isEqualTo(0.25);
    }

    private void writeAndCompare(UUID feedback, int row) {
        for (int i = 0; i < 15; i++) {
            String tag = tag(compare(Map.of(), null));
            score(feedback, runs.get(row).id(), i);
            Response after = compare(Map.of(), tag);
            assertThat(after.statusCode()).isEqualTo(200);
            assertThat(score(after, row)).isEqualTo((0.25 + i) / 2);
        }
    }

    @Test
    void recordedChangesAreCompactedIntoNewOnes() throws SQLException {
        // Given
        UUID experiment = UUID.fromString(traced);
        String before = tag(compare(Map.of(), null));
        try (Connection connection = Rows.asService()) {
            // When
            Rows.value(connection, "SELECT set_config('waybill.tenant_id', ?, false)", account.workspaceId().toString());
            for (int i = 0; i < 2_000; i++) {
                Rows.value(connection, "SELECT trace.record_change(?, ?)", account.workspaceId(), experiment);
            }
        }

        // Then
        assertThat(Rows.count("SELECT count(*) FROM trace.experiment_changes WHERE tenant_id = ? AND experiment_id = ?",
                account.workspaceId(), experiment)).isBetween(1L, 1_900L);
        assertThat(compare(Map.of(), before).statusCode()).isEqualTo(200);
    }

    @Test
    void removedExperimentHasNoRecordedChanges() {
        as(account).delete("/sessions/" + traced).then().statusCode(202);

        assertThat(Rows.count("SELECT count(*) FROM trace.experiment_changes WHERE tenant_id = ? AND experiment_id = ?",
                account.workspaceId(), UUID.fromString(traced))).isZero();
        assertThat(compare(Map.of(), null).statusCode()).isEqualTo(404);
    }

    private static double score(Response response, int row) {
        return response.as(JsonNode.class).at("/rows/" + row + "/runs/1/feedback/correctness").asDouble();
    }

    private Response upload(String experiment, String question) {
        TestUpload upload = TestUpload.ofRows(ROWS.size()).with("experiment_name", experiment).with("dataset_name", name);
        for (int i = 0; i < ROWS.size(); i++) {
            upload.rowAt(i).put("row_id", ROWS.get(i));
            upload.rowAt(i).put("inputs", Map.of("question", question));
        }
        Response response = json().body(upload.json()).post("/api/v1/datasets/upload-experiment");
        assertThat(response.statusCode()).isEqualTo(200);
        return response;
    }

    private TestRun store(TestRun run) {
        json().body(Map.of("post", List.of(run.members()))).post("/runs/batch").then().statusCode(202);
        return run;
    }

    private void score(UUID id, UUID run, double score) {
        json().body(Map.of("id", id, "run_id", run, "key", "correctness", "score", score)).post("/api/v1/feedback").then()
                .statusCode(200);
    }

    private Response compare(Map<String, Object> members, String tag) {
        RequestSpecification request = json().body(request(members));
        return (tag == null ? request : request.header("If-None-Match", tag)).post(path());
    }

    private Map<String, Object> request(Map<String, Object> members) {
        Map<String, Object> request = new HashMap<>(Map.of("experiment_ids", List.of(uploaded, traced)));
        request.putAll(members);
        return request;
    }

    private String path() {
        return "/api/v1/datasets/" + dataset + "/comparison";
    }

    private RequestSpecification json() {
        return as(account).contentType("application/json");
    }

    private static String tag(Response response) {
        return response.header("ETag");
    }
}
