package dev.waybill.experiment.session;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.Patience;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.TestUpload;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
class SessionTest {

    private final Account account = Accounts.account().create();

    @Inject
    SessionRemovalService removals;

    @Test
    void createdSessionHasAllMembersOfAnExperiment() {
        // When
        Response created = post(Map.of("name", "shape", "extra", Map.of("metadata", Map.of("n", 1, "z", "\u0000")),
                "description", "d", "start_time", "2026-11-20T08:00:00"));

        // Then
        created.then().statusCode(200)
                .body("tenant_id", equalTo(account.workspaceId().toString()))
                .body("name", equalTo("shape"))
                .body("start_time", equalTo("2026-11-20T08:00:00.000000Z"))
                .body("extra", equalTo(Map.of("metadata", Map.of("n", 1, "z", "\u0000"))))
                .body("trace_tier", equalTo("longlived"));
        for (String statistic : List.of("run_count", "latency_p50", "latency_p99", "first_token_p50", "first_token_p99",
                "total_tokens", "prompt_tokens", "completion_tokens", "total_cost", "prompt_cost", "completion_cost",
                "last_run_start_time", "last_run_start_time_live", "feedback_stats", "session_feedback_stats", "run_facets",
                "error_rate", "streaming_rate", "test_run_number", "end_time", "default_dataset_id")) {
            created.then().body("$", hasKey(statistic)).body(statistic, nullValue());
        }
        as(account).get("/sessions/" + created.path("id")).then().body("$", equalTo(created.jsonPath().getMap("$")));
    }

    @Test
    void returns409ForATakenNameUnlessUpserted() {
        // Given
        String id = post(Map.of("name", "taken", "description", "first")).path("id");

        // When
        Response repeated = post(Map.of("name", "taken"));
        Response upserted = as(account).contentType("application/json")
                .body(Map.of("name", "taken", "extra", Map.of("a", 1))).post("/sessions?upsert=true");

        // Then
        repeated.then().statusCode(409);
        upserted.then().statusCode(200)
                .body("id", equalTo(id))
                .body("description", equalTo("first"))
                .body("extra.a", equalTo(1));
    }

    @Test
    void returns422WithAllViolations() {
        as(account).contentType("application/json").body("{\"name\": \" \", \"start_time\": 7, \"trace_tier\": \"x\\u0000\"}")
                .post("/sessions").then()
                .statusCode(422)
                .body("errors.loc.flatten().sort()", equalTo(List.of("name", "start_time", "trace_tier")));
    }

    @Test
    void patchLeavesNullMembersUnchanged() {
        // Given
        String id = post(Map.of("name", "before", "description", "stays")).path("id");

        // When
        Response updated = as(account).contentType("application/json")
                .body("{\"name\": \"after\", \"description\": null, \"end_time\": \"2026-11-21T00:00:00Z\", \"extra\": {\"b\": 2}}")
                .patch("/sessions/" + id);

        // Then
        updated.then().statusCode(200)
                .body("name", equalTo("after"))
                .body("description", equalTo("stays"))
                .body("end_time", equalTo("2026-11-21T00:00:00.000000Z"))
                .body("extra.b", equalTo(2));
    }

    @Test
    void returns409ForAPatchToATakenName() {
        // Given
        post(Map.of("name", "one"));
        String other = post(Map.of("name", "two")).path("id");

        // When
        Response updated = as(account).contentType("application/json").body("{\"name\": \"one\"}").patch("/sessions/" + other);

        // Then
        updated.then().statusCode(409);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "                                     | new%_1 new-2 old",
            "?name=old                            | old",
            "?name=ol                             | ''",
            "?name_contains=NEW                   | new%_1 new-2",
            "?name_contains=%_                    | new%_1",
            "?sort_by=name&sort_by_desc=false     | new%_1 new-2 old",
            "?sort_by=start_time&sort_by_desc=false | old new-2 new%_1",
            "?limit=1&offset=1                    | new-2",
            "?reference_dataset=0198c1a2-0000-7000-8000-00000000000d | new-2",
            "?reference_free=true                 | new%_1 old",
            "?metadata={\"team\":\"a\"}             | new-2 old",
            "?metadata={\"team\":\"a\",\"n\":1}       | old",
            "?metadata={\"team\":\"b\"}             | ''",
            "?id=0198c1a2-0000-7000-8000-00000000000e | ''",
    })
    void listsAreFilteredSortedAndPaged(String query, String names) {
        // Given
        as(account).contentType("application/json")
                .body(Map.of("name", "d", "id", "0198c1a2-0000-7000-8000-00000000000d")).post("/datasets");
        post(Map.of("name", "old", "start_time", "2026-11-18T00:00:00Z", "extra",
                Map.of("metadata", Map.of("team", "a", "n", 1))));
        post(Map.of("name", "new-2", "start_time", "2026-11-19T00:00:00Z", "extra", Map.of("metadata", Map.of("team", "a")),
                "reference_dataset_id", "0198c1a2-0000-7000-8000-00000000000d"));
        post(Map.of("name", "new%_1", "start_time", "2026-11-20T00:00:00Z"));

        // When
        Response list = as(account).urlEncodingEnabled(false)
                .get("/api/v1/sessions" + (query == null ? ""
                        : query.replace("%", "%25").replace("{", "%7B").replace("}", "%7D")
                                .replace("\"", "%22")));

        // Then
        list.then().statusCode(200);
        assertThat(String.join(" ", list.jsonPath().getList("name", String.class))).isEqualTo(names);
        int total = query != null && query.contains("limit") ? 3 : list.jsonPath().getList("$").size();
        assertThat(list.header("X-Pagination-Total")).isEqualTo(String.valueOf(total));
    }

    @ParameterizedTest
    @CsvSource({ "?limit=0", "?limit=101", "?offset=-1", "?sort_by=mood", "?name=%00" })
    void returns422ForInvalidQueries(String query) {
        as(account).urlEncodingEnabled(false).get("/sessions" + query).then().statusCode(422);
    }

    @Test
    void deletingASessionDeletesItsRuns() {
        // Given
        TestRun gone = TestRun.root().with("session_name", "gone");
        TestRun stays = TestRun.root().with("session_name", "stays");
        byte[] form = TestForm.of(gone, stays).part("attachment." + gone.id() + ".a", "text/plain", new byte[] { 1 }).bytes();
        assertThat(RawHttpResponse.postForm(account, null, form).status()).isEqualTo(202);
        String id = as(account).get("/sessions?name=gone").path("[0].id");

        // When
        Response deleted = as(account).delete("/sessions/" + id);

        // Then
        deleted.then().statusCode(202);
        as(account).get("/sessions/" + id).then().statusCode(404);
        as(account).get("/runs/" + gone.id()).then().statusCode(404);
        as(account).get("/runs/" + stays.id()).then().statusCode(200);
        as(account).delete("/sessions/" + id).then().statusCode(404);
        Patience.await().until(() -> Rows.count("SELECT count(*) FROM trace.session_removals WHERE tenant_id = ?",
                account.workspaceId()) == 0);
        assertThat(Rows.count("SELECT count(*) FROM trace.attachments WHERE run_id = ?", gone.id())).isZero();
        assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE id = ?", gone.id())).isZero();
        assertThat(Rows.count("SELECT count(*) FROM trace.run_places WHERE id = ?", gone.id())).isZero();
    }

    @Test
    void removalIsFinishedAfterAReplicaDies() {
        // Given
        TestRun run = TestRun.root().with("session_name", "left");
        assertThat(RawHttpResponse.postForm(account, null, TestForm.of(run).bytes()).status()).isEqualTo(202);
        Rows.value("""
                WITH gone AS (DELETE FROM trace.sessions WHERE tenant_id = ? RETURNING tenant_id, id)
                INSERT INTO trace.session_removals SELECT tenant_id, id, now() - interval '2 minutes' FROM gone
                """, account.workspaceId());

        // When
        removals.deleteRuns().await().indefinitely();

        // Then
        // The schedule may have deleted the run already.
        Patience.await().until(
                () -> Rows.count("SELECT count(*) FROM trace.runs WHERE tenant_id = ?", account.workspaceId()) == 0);
    }

    @Test
    void sameIdempotencyKeyCreatesOneSession() {
        // Given
        Map<String, String> body = Map.of("name", "once", "description", "d");

        // When
        Response first = as(account).header("Idempotency-Key", "k1").contentType("application/json").body(body)
                .post("/sessions");
        Response repeated = as(account).header("Idempotency-Key", "k1").contentType("application/json").body(body)
                .post("/sessions");

        // Then
        repeated.then().statusCode(200).body("$", equalTo(first.jsonPath().getMap("$")));
    }

    @Test
    void experimentsAreNumberedTogetherWithUploads() {
        // Given
        Response uploaded = as(account).contentType("application/json").body(TestUpload.ofRows(1).json())
                .post("/api/v1/datasets/upload-experiment");
        String dataset = uploaded.path("dataset.id");
        Map<String, String> second = Map.of("name", "second", "reference_dataset_id", dataset);
        Instant tomorrow = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);

        // When
        Response created = post(second);
        Response taken = post(second);
        Response upserted = as(account).contentType("application/json").body(second).post("/sessions?upsert=true");
        Response next = post(Map.of("name", "third", "reference_dataset_id", dataset, "start_time", tomorrow.toString()));

        // Then
        created.then().statusCode(200).body("test_run_number", equalTo(2)).body("reference_dataset_id", equalTo(dataset));
        taken.then().statusCode(409);
        upserted.then().statusCode(200).body("id", equalTo(created.path("id"))).body("test_run_number", equalTo(2));
        next.then().body("test_run_number", equalTo(3));
        as(account).get("/datasets/" + dataset).then().body("session_count", equalTo(3))
                .body("last_session_start_time", startsWith(tomorrow.toString().replace("Z", "")));
    }

    @Test
    void concurrentExperimentsAreNumberedWithoutGaps() throws Exception {
        // Given
        String dataset = as(account).contentType("application/json").body(Map.of("name", "d")).post("/datasets").path("id");

        // When
        List<Integer> numbers;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            numbers = threads.invokeAll(IntStream.range(0, 12).<Callable<Integer>> mapToObj(i -> () -> post(
                    Map.of("name", "e" + i / 2, "reference_dataset_id", dataset)).<Integer> path("test_run_number")).toList())
                    .stream().map(Future::resultNow).filter(Objects::nonNull).toList();
        }

        // Then
        assertThat(numbers).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
    }

    @Test
    void returns404ForAnExperimentOfAMissingDataset() {
        post(Map.of("name", "lost", "reference_dataset_id", UUID.randomUUID().toString())).then().statusCode(404);
        as(account).get("/sessions?name=lost").then().body("size()", equalTo(0));
    }

    @Test
    void runOnAMissingExampleIsStored() {
        // Given
        UUID example = UUID.randomUUID();
        TestRun run = TestRun.root().with("session_name", "e").with("reference_example_id", example.toString());

        // When
        RawHttpResponse response = RawHttpResponse.postForm(account, null, TestForm.of(run).bytes());

        // Then
        assertThat(response.status()).isEqualTo(202);
        as(account).get("/runs/" + run.id()).then().body("reference_example_id", equalTo(example.toString()));
    }

    @Test
    void returns413ForLargeBodies() {
        // Given
        String body = TestRun.json(Map.of("name", "large", "description", "x".repeat(3 << 20)));

        // When
        Response response = as(account).contentType("application/json").body(body).post("/sessions");

        // Then
        response.then().statusCode(413).contentType("application/problem+json");
    }

    private Response post(Map<String, ?> body) {
        return as(account).contentType("application/json").body(body).post("/api/v1/sessions");
    }
}
