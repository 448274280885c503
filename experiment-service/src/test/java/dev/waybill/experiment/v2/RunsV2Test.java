package dev.waybill.experiment.v2;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Version 2 of run queries, as the generated part of tracing clients sends them. */
@QuarkusTest
class RunsV2Test {

    private static final String LONG_AGO = "2026-01-01T00:00:00Z";

    private final Account account = Accounts.account().create();

    @Test
    void returnsSelectedMembersWithVersionTwoNames() {
        // Given
        TestRun run = TestRun.root().with("session_name", "p").with("run_type", "llm").with("tags", List.of("a"))
                .with("total_cost", 0.5).with("total_tokens", 7).with("extra", Map.of("metadata", Map.of("thread_id", "t")));
        assertThat(
                RawHttpResponse.postForm(account, null, TestForm.of(run).part("attachment." + run.id() + ".note", "text/plain",
                        new byte[] { 1 }).bytes()).status())
                .isEqualTo(202);
        List<String> selects = List.of("NAME", "RUN_TYPE", "STATUS", "LATENCY_SECONDS", "PROJECT_ID", "THREAD_ID", "TOTAL_COST",
                "TOTAL_TOKENS", "INPUTS", "OUTPUTS_PREVIEW", "METADATA", "ATTACHMENTS", "PARENT_RUN_IDS",
                "PROMPT_TOKEN_DETAILS");

        // When
        Response page = query(mapOf("project_ids", List.of(project("p")), "min_start_time", LONG_AGO, "selects", selects));
        Response one = as(account).queryParam("project_id", project("p")).queryParam("selects", selects)
                .get("/api/v2/runs/" + run.id());

        // Then
        for (Map<String, Object> members : List.of(page.jsonPath().<String, Object> getMap("items[0]"),
                one.jsonPath().<String, Object> getMap("$"))) {
            assertThat(members.keySet()).containsExactlyInAnyOrder("name", "run_type", "status", "latency_seconds",
                    "project_id",
                    "thread_id", "total_cost", "total_tokens", "inputs", "outputs_preview", "metadata", "attachments",
                    "parent_run_ids", "prompt_token_details");
            assertThat(members).containsEntry("run_type", "LLM").containsEntry("status", "SUCCESS")
                    .containsEntry("project_id", project("p")).containsEntry("thread_id", "t").containsEntry("total_tokens", 7)
                    .containsEntry("inputs", Map.of("question", "why?"))
                    .containsEntry("outputs_preview", "because").containsEntry("prompt_token_details", null);
            assertThat(((Number) members.get("total_cost")).doubleValue()).isEqualTo(0.5);
            assertThat(((Map<?, ?>) members.get("attachments")).get("note").toString()).startsWith("/api/v1/public/");
        }
        page.then().body("items", hasSize(1)).body("next_cursor", nullValue());
    }

    @Test
    void everyConditionFiltersRuns() {
        // Given
        String example = UUID.randomUUID().toString();
        TestRun root = post(
                TestRun.root().with("session_name", "p").with("name", "agent").with("reference_example_id", example));
        TestRun model = post(TestRun.below(root).with("session_name", "p").with("name", "model").with("run_type", "llm")
                .with("error", "x"));
        TestRun other = post(TestRun.root().with("session_name", "p").with("name", "other"));
        post(TestRun.root().with("session_name", "elsewhere").with("name", "elsewhere"));

        // Then
        assertNames(Map.of(), "agent", "model", "other");
        assertNames(Map.of("is_root", true), "agent", "other");
        assertNames(Map.of("run_type", "LLM"), "model");
        assertNames(Map.of("has_error", true), "model");
        assertNames(Map.of("trace_id", root.id().toString()), "agent", "model");
        assertNames(Map.of("ids", List.of(other.id().toString(), model.id().toString())), "model", "other");
        assertNames(Map.of("reference_examples", List.of(example)), "agent");
        assertNames(Map.of("filter", "eq(name, \"other\")"), "other");
        assertNames(Map.of("trace_filter", "eq(name, \"agent\")"), "agent", "model");
        assertNames(Map.of("tree_filter", "eq(name, \"model\")"), "agent", "model");
        assertNames(Map.of("max_start_time", "2026-11-20T08:00:00Z"));
    }

    @Test
    void defaultRangeIsTheLastDayOnAllPages() {
        // Given
        for (int i = 0; i < 3; i++) {
            recent("p", "recent" + i, Instant.now().minusSeconds(60L + i));
        }
        recent("p", "old", Instant.now().minus(2, ChronoUnit.DAYS));
        Map<String, Object> request = mapOf("project_ids", List.of(project("p")), "page_size", 1, "selects", List.of("NAME"));

        // When
        List<String> names = new ArrayList<>();
        String cursor;
        do {
            Response page = query(request);
            page.then().statusCode(200);
            names.addAll(page.jsonPath().getList("items.name"));
            cursor = page.path("next_cursor");
            request.put("cursor", cursor);
        } while (cursor != null);

        // Then
        assertThat(names).containsExactly("recent0", "recent1", "recent2");
    }

    @Test
    void experimentsAreFoundByTheirDataset() {
        // Given
        String dataset = as(account).contentType("application/json").body(Map.of("name", "d")).post("/api/v1/datasets")
                .path("id");
        as(account).contentType("application/json").body(Map.of("name", "e", "reference_dataset_id", dataset))
                .post("/api/v1/sessions").then().statusCode(200);
        post(TestRun.root().with("session_name", "e").with("name", "of experiment"));
        post(TestRun.root().with("session_name", "p"));

        // When
        Response page = query(Map.of("reference_dataset_id", dataset, "min_start_time", LONG_AGO, "selects", List.of("NAME")));
        Response none = query(Map.of("reference_dataset_id", UUID.randomUUID().toString()));

        // Then
        page.then().body("items.name", contains("of experiment"));
        none.then().statusCode(200).body("items", hasSize(0));
    }

    @Test
    void returns422WithAllViolations() {
        query(mapOf("project_ids", List.of(UUID.randomUUID().toString()), "reference_dataset_id", UUID.randomUUID().toString(),
                "page_size", 1001, "run_type", "x", "filter", "nope(", "selects", List.of("ID", "id"), "colour", "blue",
                "ai_search", "x"))
                .then().statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("page_size"), List.of("run_type"),
                        List.of("filter"), List.of("selects", 1), List.of("colour"), List.of("ai_search")));
        query(Map.of()).then().statusCode(422).body("errors.loc", contains(List.of("project_ids")));
        for (String cursor : List.of("x", "1_2_x", "999999999999999999_1_x")) {
            query(Map.of("project_ids", List.of(UUID.randomUUID().toString()), "cursor", cursor)).then().statusCode(422)
                    .body("errors.loc", contains(List.of("cursor")));
        }
    }

    @Test
    void returns404ForARunOfAnotherProjectOrWorkspace() {
        // Given
        TestRun run = post(TestRun.root().with("session_name", "p"));
        Account stranger = Accounts.account().create();

        // When / Then
        String path = "/api/v2/runs/" + run.id();
        as(account).get(path + "?project_id=" + project("p")).then().statusCode(200)
                .body("$", equalTo(Map.of("id", run.id().toString())));
        as(account).get(path + "?project_id=" + UUID.randomUUID()).then().statusCode(404);
        as(stranger).get(path + "?project_id=" + project("p")).then().statusCode(404);
        as(account).get(path).then().statusCode(422).body("errors.loc", contains(List.of("project_id")));
        as(account).get(path + "?project_id=" + project("p") + "&colour=blue").then().statusCode(422);
    }

    private TestRun post(TestRun run) {
        as(account).contentType("application/json").body(run.json()).post("/runs").then().statusCode(202);
        return run;
    }

    private void recent(String session, String name, Instant start) {
        as(account).contentType("application/json").body(TestRun.json(Map.of("id", UUID.randomUUID().toString(), "name", name,
                "run_type", "chain", "inputs", Map.of(), "start_time", start.toString(), "session_name", session)))
                .post("/runs").then().statusCode(202);
    }

    private String project(String name) {
        return as(account).get("/sessions?name=" + name).path("[0].id");
    }

    private Response query(Map<String, Object> request) {
        return as(account).contentType("application/json").body(TestRun.json(request)).post("/api/v2/runs/query");
    }

    private void assertNames(Map<String, Object> conditions, String... names) {
        Map<String, Object> request = mapOf("project_ids", List.of(project("p")), "min_start_time", LONG_AGO, "selects",
                List.of("NAME"));
        request.putAll(conditions);
        Response page = query(request);
        assertThat(page.statusCode()).as(page.asString()).isEqualTo(200);
        assertThat(page.jsonPath().<String> getList("items.name")).as(conditions.toString()).containsExactlyInAnyOrder(names);
    }

    private static Map<String, Object> mapOf(Object... pairs) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
