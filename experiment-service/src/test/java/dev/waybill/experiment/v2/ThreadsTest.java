package dev.waybill.experiment.v2;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
class ThreadsTest {

    private static final String SPECIAL_CHARACTERS = "a/b \"ü\" 1";

    private final Account account = Accounts.account().create();

    @Test
    void threadAggregatesItsTracesAndCountsTokensOnce() {
        // Given
        TestRun first = turn("t", "2026-11-20T08:00:00Z", "2026-11-20T08:00:01Z").with("inputs", Map.of("q", "first"))
                .with("total_tokens", 40).with("total_cost", 2);
        TestRun model = TestRun.below(post(first)).with("session_name", "p").with("total_tokens", 30).with("total_cost", 1.5);
        post(model);
        TestRun last = post(turn("t", "2026-11-20T09:00:00Z", "2026-11-20T09:00:03Z").with("outputs", Map.of("a", "last"))
                .with("error", "out of order").with("total_tokens", 5));
        post(turn("u", "2026-11-20T08:30:00Z", "2026-11-20T08:30:01Z"));
        post(TestRun.root().with("session_name", "p"));

        // When
        Response page = query(Map.of());

        // Then
        page.then().statusCode(200).body("items.thread_id", contains("t", "u")).body("next_cursor", nullValue())
                .body("items[0].count", equalTo(2))
                .body("items[0].num_errored_turns", equalTo(1))
                .body("items[0].min_start_time", equalTo("2026-11-20T08:00:00.000000Z"))
                .body("items[0].max_start_time", equalTo("2026-11-20T09:00:00.000000Z"))
                .body("items[0].latency_p50", equalTo(2.0f))
                .body("items[0].first_trace_id", equalTo(first.id().toString()))
                .body("items[0].last_trace_id", equalTo(last.id().toString()))
                .body("items[0].first_inputs", equalTo("first"))
                .body("items[0].last_outputs", equalTo("last"))
                .body("items[0].last_error", equalTo("out of order"))
                .body("items[0].total_tokens", equalTo(35))
                .body("items[0].total_cost", equalTo(1.5f))
                .body("items[1].total_tokens", nullValue());
    }

    @Test
    void pagesContainEveryThreadOnce() {
        // Given: threads with equal newest start times
        for (int i = 0; i < 5; i++) {
            post(turn("t" + i, "2026-11-20T0" + i / 2 + ":00:00Z", "2026-11-20T09:00:00Z"));
        }
        Map<String, Object> request = new HashMap<>(Map.of("page_size", 2));

        // When
        List<String> threads = new ArrayList<>();
        do {
            Response page = query(request);
            page.then().statusCode(200);
            threads.addAll(page.jsonPath().getList("items.thread_id"));
            request.put("cursor", page.path("next_cursor"));
        } while (request.get("cursor") != null);

        // Then
        assertThat(threads).containsExactly("t4", "t3", "t2", "t1", "t0");
    }

    @Test
    void filtersFindThreadsWithAMatchingTrace() {
        // Given
        TestRun agent = post(turn("a", "2026-11-20T08:00:00Z", "2026-11-20T08:00:01Z").with("name", "agent"));
        post(TestRun.below(agent).with("session_name", "p").with("name", "tool"));
        post(turn("a", "2026-11-20T08:10:00Z", "2026-11-20T08:10:01Z").with("name", "other"));
        post(turn("b", "2026-11-20T08:00:00Z", "2026-11-20T08:00:01Z").with("name", "other"));

        // Then
        query(Map.of("filter", "eq(name, \"agent\")")).then().body("items.thread_id", contains("a"))
                .body("items[0].count", equalTo(2));
        query(Map.of("trace_filter", "eq(name, \"other\")")).then().body("items.thread_id", contains("a", "b"));
        query(Map.of("tree_filter", "eq(name, \"tool\")")).then().body("items.thread_id", contains("a"));
        query(Map.of("max_start_time", "2026-11-20T08:00:00Z")).then().body("items", hasSize(0));
        query(Map.of("max_start_time", "2026-11-20T08:05:00Z")).then().body("items.find { it.thread_id == 'a' }.count",
                equalTo(1));
    }

    @Test
    void tracesOfAThreadAreSortedByStartTime() {
        // Given
        TestRun second = post(turn(SPECIAL_CHARACTERS, "2026-11-20T09:00:00Z", "2026-11-20T09:00:01Z").with("name", "second"));
        TestRun first = post(turn(SPECIAL_CHARACTERS, "2026-11-20T08:00:00Z", "2026-11-20T08:00:01Z").with("name", "first"));
        post(turn("other", "2026-11-20T08:00:00Z", "2026-11-20T08:00:01Z"));

        // When
        Response page = traces(SPECIAL_CHARACTERS, "page_size", "1", "selects", "NAME", "selects", "LATENCY");
        Response next = traces(SPECIAL_CHARACTERS, "page_size", "1", "selects", "NAME", "selects", "LATENCY", "cursor",
                page.path("next_cursor"));

        // Then
        assertThat(page.jsonPath().getMap("items[0]")).isEqualTo(Map.of("name", "first", "latency", 1.0f, "trace_id",
                first.id().toString()));
        next.then().body("items.trace_id", contains(second.id().toString())).body("next_cursor", nullValue());
        traces(SPECIAL_CHARACTERS, "filter", "eq(name, \"second\")").then().body("items.trace_id",
                contains(second.id().toString()));
        traces("nobody's").then().statusCode(200).body("items", hasSize(0));
    }

    @Test
    void returns422WithAllViolations() {
        post(turn("t", "2026-11-20T09:00:00Z", "2026-11-20T09:00:01Z"));
        query(Map.of("page_size", 101, "thread_filter", "x", "filter", "nope(", "tree_filter", "eq(")).then().statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("page_size"), List.of("thread_filter"), List.of("filter"),
                        List.of("tree_filter")));
        as(account).contentType("application/json").body("{}").post("/api/v2/threads/query").then().statusCode(422)
                .body("errors.loc", contains(List.of("project_id")));
        for (String cursor : List.of("x", "1_2_x", "1_2_", "1_2_99999999999999999999_YQ", "1_2_5_%")) {
            query(Map.of("cursor", cursor)).then().statusCode(422).body("errors.loc", contains(List.of("cursor")));
        }
        traces("t", "selects", "OP", "filter", "x(").then().statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("selects", 0), List.of("filter")));
        traces("t", "page_size", "0").then().statusCode(422);
        traces("t", "cursor", "x").then().statusCode(422);
    }

    @Test
    void returns404ForAProjectOfAnotherWorkspace() {
        // Given
        post(turn("t", "2026-11-20T09:00:00Z", "2026-11-20T09:00:01Z"));
        Account stranger = Accounts.account().create();

        // Then
        as(stranger).contentType("application/json").body(Map.of("project_id", project())).post("/api/v2/threads/query").then()
                .statusCode(404);
        as(stranger).get("/api/v2/threads/t/traces?project_id=" + project()).then().statusCode(404);
        as(account).get("/api/v2/threads/t/traces?project_id=" + UUID.randomUUID()).then().statusCode(404);
        as(account).get("/api/v2/threads/t/traces").then().statusCode(422);
    }

    private TestRun turn(String thread, String start, String end) {
        return TestRun.root().with("session_name", "p").with("start_time", start).with("end_time", end)
                .with("extra", Map.of("metadata", Map.of("session_id", thread)));
    }

    private TestRun post(TestRun run) {
        Map<String, Object> members = new HashMap<>(run.members());
        members.keySet().removeAll(List.of("trace_id", "dotted_order"));
        as(account).contentType("application/json").body(TestRun.json(members)).post("/runs").then().statusCode(202);
        return run;
    }

    private String project() {
        return as(account).get("/sessions?name=p").path("[0].id");
    }

    private Response query(Map<String, Object> conditions) {
        Map<String, Object> request = new HashMap<>(Map.of("project_id", project(), "min_start_time", "2026-01-01T00:00:00Z"));
        request.putAll(conditions);
        return as(account).contentType("application/json").body(TestRun.json(request)).post("/api/v2/threads/query");
    }

    private Response traces(String thread, String... parameters) {
        var request = as(account).queryParam("project_id", project()).pathParam("thread", thread);
        for (int i = 0; i < parameters.length; i += 2) {
            request.queryParam(parameters[i], parameters[i + 1]);
        }
        return request.get("/api/v2/threads/{thread}/traces");
    }
}
