package dev.waybill.experiment.intake;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;

@QuarkusTest
class BatchIntakeTest {

    private final Account account = Accounts.account().create();

    @Test
    void ignoresUnknownMembers() {
        // Given
        TestRun run = TestRun.root().with("child_runs", List.of()).with("serialized", Map.of()).with("mood", "good");

        // When
        post(List.of(run), List.of()).statusCode(202);

        // Then
        as(account).get("/api/v1/runs/" + run.id()).then().statusCode(200).body("serialized", equalTo(Map.of()));
    }

    @Test
    void acceptsEmptyAndAbsentLists() {
        as(account).contentType("application/json").body("{\"post\": []}").post("/runs/batch").then().statusCode(202);
    }

    @Test
    void oneInvalidRunOfAHundredStoresNothing() {
        // Given
        List<TestRun> runs = new ArrayList<>(Stream.generate(TestRun::root).limit(100).toList());
        runs.set(3,
                TestRun.root().with("trace_id", UUID.randomUUID().toString()).with("total_cost", 1e12).without("dotted_order"));

        // When
        ValidatableResponse response = post(runs, List.of());

        // Then
        response.statusCode(422).body("errors.loc", equalTo(List.of(List.of("post", 3, "total_cost"),
                List.of("post", 3, "dotted_order"))));
        assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE tenant_id = ?", account.workspaceId())).isZero();
    }

    @Test
    void returns422ForAContradictoryPosition() {
        // Given
        TestRun root = TestRun.root();
        TestRun wrongParent = TestRun.below(root).with("parent_run_id", UUID.randomUUID().toString());
        TestRun wrongTrace = TestRun.below(root).with("trace_id", UUID.randomUUID().toString());
        TestRun wrongId = TestRun.below(root).with("id", UUID.randomUUID().toString());

        // When
        ValidatableResponse response = post(List.of(wrongParent, wrongTrace, wrongId), List.of());

        // Then
        response.statusCode(422).body("errors.loc", equalTo(List.of(List.of("post", 0, "parent_run_id"),
                List.of("post", 1, "dotted_order"), List.of("post", 2, "dotted_order"))));
    }

    @Test
    void repeatedRunChangesNothing() {
        // Given
        TestRun run = TestRun.root();
        post(List.of(run, run), List.of()).statusCode(202);
        String before = Rows.value("SELECT row_to_json(r)::text FROM trace.runs r WHERE id = ?", run.id());

        // When
        post(List.of(run.with("name", "changed")), List.of()).statusCode(202);

        // Then
        assertThat(Rows.value("SELECT row_to_json(r)::text FROM trace.runs r WHERE id = ?", run.id())).isEqualTo(before);
    }

    @Test
    void concurrentBatchesCreateASessionOnce() throws Exception {
        // Given
        List<Callable<Integer>> posts = IntStream.range(0, 24)
                .<Callable<Integer>> mapToObj(i -> () -> post(List.of(TestRun.root().with("session_name", "b"),
                        TestRun.root().with("session_name", "a"), TestRun.root()), List.of()).extract().statusCode())
                .toList();

        // When
        List<Future<Integer>> responses;
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            responses = threads.invokeAll(posts);
        }

        // Then
        assertThat(responses).extracting(Future::get).containsOnly(202);
        assertThat(as(account).get("/sessions?sort_by=name&sort_by_desc=false").jsonPath().getList("name"))
                .isEqualTo(List.of("a", "b", "default"));
        assertThat(Rows.count("SELECT count(*) FROM trace.runs WHERE tenant_id = ?", account.workspaceId())).isEqualTo(72);
    }

    @Test
    void concurrentBatchesWithTheSameRunsSucceed() throws Exception {
        // Given
        List<TestRun> runs = Stream.generate(TestRun::root).limit(60).toList();
        List<Callable<Integer>> posts = IntStream.range(0, 16)
                .<Callable<Integer>> mapToObj(i -> () -> {
                    List<TestRun> shuffled = new ArrayList<>(runs);
                    java.util.Collections.shuffle(shuffled, new java.util.Random(i));
                    return post(shuffled, i % 2 == 0 ? List.of() : shuffled).extract().statusCode();
                })
                .toList();

        // When
        List<Future<Integer>> responses;
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            responses = threads.invokeAll(posts);
        }

        // Then
        assertThat(responses).extracting(Future::get).containsOnly(202);
    }

    @Test
    void returns404ForAMissingSession() {
        post(List.of(TestRun.root().with("session_id", UUID.randomUUID().toString())), List.of()).statusCode(404);
    }

    @Test
    void readsCostsAndTokensFromAllSources() {
        // Given
        TestRun given = TestRun.root().with("total_cost", "0.0000000014").with("prompt_tokens", 3.0)
                .with("outputs", Map.of("usage_metadata", Map.of("input_tokens", 9, "output_tokens", 4)));
        TestRun inMetadata = TestRun.root().with("extra", Map.of("metadata",
                Map.of("usage_metadata", Map.of("total_tokens", 12, "total_cost", 0.25))));
        TestRun streamed = TestRun.root().with("events", List.of(Map.of("name", "start", "time", "2026-11-20T08:00:00Z"),
                Map.of("time", "2026-11-20T08:00:01.5Z", "name", "new_token"),
                Map.of("name", "new_token", "time", "2026-11-20T08:00:02Z")));

        // When
        post(List.of(given, inMetadata, streamed), List.of()).statusCode(202);

        // Then
        as(account).get("/runs/" + given.id()).then()
                .body("prompt_tokens", equalTo(3))
                .body("completion_tokens", nullValue())
                .body("total_cost", equalTo("0.000000001"));
        as(account).get("/runs/" + inMetadata.id()).then()
                .body("total_tokens", equalTo(12))
                .body("total_cost", equalTo("0.250000000"));
        as(account).get("/runs/" + streamed.id()).then().body("first_token_time", equalTo("2026-11-20T08:00:01.500000Z"));
    }

    @Test
    void totalIsTheSumOfTokensFromSeveralPatches() {
        // Given
        TestRun run = TestRun.root().with("prompt_tokens", 3);
        post(List.of(run), List.of()).statusCode(202);

        // When
        post(List.of(), List.of(run.identityOnly().with("completion_tokens", 4))).statusCode(202);

        // Then
        as(account).get("/runs/" + run.id()).then()
                .body("prompt_tokens", equalTo(3))
                .body("completion_tokens", equalTo(4))
                .body("total_tokens", equalTo(7));
    }

    private ValidatableResponse post(List<TestRun> posts, List<TestRun> patches) {
        return as(account).contentType("application/json")
                .body(TestRun.json(Map.of("post", posts.stream().map(TestRun::members).toList(),
                        "patch", patches.stream().map(TestRun::members).toList())))
                .post("/runs/batch").then();
    }
}
