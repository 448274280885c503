package dev.waybill.experiment.query;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.problem.Violations;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.RawHttpResponse;
import dev.waybill.experiment.TestForm;
import dev.waybill.experiment.TestRun;
import dev.waybill.experiment.run.RunField;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Queries for runs as tracing clients send them. */
@QuarkusTest
class RunQueryTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    // The members that the npm client selects by default.
    private static final List<String> DEFAULT_SELECT = List.of("app_path", "completion_cost", "completion_tokens",
            "dotted_order",
            "end_time", "error", "events", "extra", "feedback_stats", "first_token_time", "id", "inputs", "name", "outputs",
            "parent_run_id", "parent_run_ids", "prompt_cost", "prompt_tokens", "reference_example_id", "run_type",
            "session_id", "start_time", "status", "tags", "total_cost", "total_tokens", "trace_id");

    private final Account account = Accounts.account().create();

    @Test
    void queryAndGetReturnTheSameRunWithUnchangedDocuments() throws IOException {
        // Given
        TestRun run = TestRun.root().with("session_name", "whole").with("tags", List.of("a"));
        String inputs = "{ \"n\":1.0,  \"big\":123456789012345678901234567890, \"z\\u00eb\":\"\\u0000\" }";
        RawHttpResponse posted = RawHttpResponse.postForm(account, null, TestForm.of(run.without("inputs"))
                .part("post." + run.id() + ".inputs", inputs)
                .part("attachment." + run.id() + ".note", "text/plain", new byte[] { 1, 2, 3 }).bytes());
        addFeedback(run, Map.of("key", "k", "score", 0.5, "value", "good"));

        // When
        Response one = as(account).get("/runs/" + run.id());
        Response page = query(Map.of("session", List.of(session("whole"))));

        // Then
        assertThat(posted.status()).isEqualTo(202);
        assertThat(one.asString()).contains("\"inputs\":" + inputs);
        assertThat(page.asString()).contains("\"inputs\":" + inputs);
        JsonNode whole = JSON.readTree(one.asString());
        assertThat(withoutLinks(JSON.readTree(page.asString()).at("/runs/0"))).isEqualTo(withoutLinks(whole.deepCopy()));
        assertThat(JSON.readTree(page.asString()).at("/cursors/next").isNull()).isTrue();
        assertThat(whole.at("/feedback_stats/k")).isEqualTo(JSON.readTree(
                "{\"n\":1,\"avg\":0.5,\"stdev\":0,\"min\":0.5,\"max\":0.5,\"values\":{\"good\":1}}"));
        assertThat(whole.has("attachments")).as("the Python client passes this member itself").isFalse();
        assertThat(whole.at("/s3_urls/attachment.note/mime_type").textValue()).isEqualTo("text/plain");
        assertThat(whole.at("/s3_urls/attachment.note/presigned_url").textValue()).startsWith("/api/v1/public/attachments/");
        assertThat(whole.get("session_name").textValue()).isEqualTo("whole");
        assertThat(whole.get("is_root").booleanValue()).isTrue();
        assertThat(whole.get("latency").doubleValue()).isEqualTo(2.376544);
    }

    @Test
    void everyMemberOfARunCanBeSelected() {
        assertThat(Arrays.stream(RunField.values()).map(RunField::wireName)).containsExactlyInAnyOrderElementsOf(
                Arrays.stream(RunResponse.class.getRecordComponents()).map(member -> Violations.snakeCase(member.getName()))
                        .toList());
        assertThat(DEFAULT_SELECT).allSatisfy(name -> assertThat(RunField.of(name)).isPresent());
    }

    @Test
    void returnsSelectedAndRequiredMembers() {
        // Given
        TestRun run = post(TestRun.root());

        // When
        Response page = query(Map.of("id", List.of(run.id().toString()), "select", List.of("outputs", "name", "error")));
        Response byDefault = query(Map.of("id", run.id().toString(), "select", DEFAULT_SELECT));

        // Then
        assertThat(page.jsonPath().getMap("runs[0]"))
                .containsOnlyKeys("id", "name", "run_type", "start_time", "status", "error",
                        "outputs", "trace_id", "dotted_order", "session_id", "app_path")
                .containsEntry("outputs", Map.of("answer", "because"));
        assertThat(byDefault.jsonPath().getMap("runs[0]").keySet())
                .containsExactlyInAnyOrderElementsOf(new ArrayList<>(DEFAULT_SELECT));
    }

    @Test
    void everyConditionFiltersRuns() {
        // Given
        String example = UUID.randomUUID().toString();
        TestRun root = post(TestRun.root().with("session_name", "tree").with("reference_example_id", example)
                .with("name", "agent"));
        TestRun model = post(TestRun.below(root).with("session_name", "tree").with("run_type", "llm").with("name", "model")
                .with("inputs", Map.of("prompt", "Tell me of Whales")));
        TestRun broken = post(TestRun.below(model).with("session_name", "tree").with("run_type", "tool").with("name", "broken")
                .with("error", "out of order"));
        TestRun other = post(TestRun.root().with("session_name", "tree").with("name", "other"));
        post(TestRun.root().with("session_name", "elsewhere").with("name", "elsewhere"));
        String session = session("tree");

        // When / Then
        assertNames(Map.of("session", List.of(session)), "agent", "model", "broken", "other");
        assertNames(Map.of("session", session), "agent", "model", "broken", "other");
        assertNames(Map.of("session", List.of(session, session("elsewhere"))), "agent", "model", "broken", "other",
                "elsewhere");
        assertNames(Map.of("session", session, "is_root", true), "agent", "other");
        assertNames(Map.of("session", session, "is_root", false), "model", "broken");
        assertNames(Map.of("session", session, "run_type", "llm"), "model");
        assertNames(Map.of("session", session, "error", true), "broken");
        assertNames(Map.of("session", session, "error", false), "agent", "model", "other");
        assertNames(Map.of("session", session, "query", "whales TELL"), "model");
        assertNames(Map.of("session", session, "filter", "and(eq(is_root, true), neq(name, \"other\"))"), "agent");
        assertNames(Map.of("session", session, "trace_filter", "eq(name, \"agent\")"), "agent", "model", "broken");
        assertNames(Map.of("session", session, "tree_filter", "eq(name, \"broken\")"), "agent", "model", "broken");
        assertNames(Map.of("session", session, "tree_filter", "eq(name, \"nobody\")"));
        assertNames(Map.of("trace", root.id().toString()), "agent", "model", "broken");
        assertNames(Map.of("trace", root.id().toString(), "session", session, "is_root", false), "model", "broken");
        assertNames(Map.of("trace", root.id().toString(), "session_id", session, "is_root", false), "model", "broken");
        assertNames(Map.of("trace", root.id().toString(), "session", session("elsewhere")));
        assertNames(Map.of("trace", root.id().toString(), "session_id", session("elsewhere")));
        assertNames(Map.of("parent_run", root.id().toString()), "model");
        assertNames(Map.of("parent_run", model.id().toString(), "trace", root.id().toString()), "broken");
        assertNames(Map.of("parent_run", UUID.randomUUID().toString()));
        assertNames(Map.of("reference_example", example), "agent");
        assertNames(Map.of("reference_example", List.of(example), "session", session("elsewhere")));
        assertNames(Map.of("id", List.of(other.id().toString(), broken.id().toString(), UUID.randomUUID().toString())),
                "broken", "other");
        assertNames(Map.of("id", List.of(broken.id().toString()), "trace", other.id().toString()));
        assertNames(Map.of("session", session, "start_time", "2026-11-20T08:00:00.123456", "end_time",
                "2026-11-20T08:00:00.123457Z"), "agent", "model", "broken", "other");
        assertNames(Map.of("session", session, "end_time", "2026-11-20T08:00:00.123456Z"));
        assertNames(Map.of("session", session, "start_time", "2026-11-20T08:00:00.123457Z"));
    }

    @Test
    void pagesContainEveryRunOnceWhileRunsArrive() {
        // Given
        Instant start = Instant.parse("2026-11-20T08:00:00Z");
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            // Some runs have the same start time and are sorted by id.
            sent.add(startedAt(start.plusSeconds(i / 3), "pages"));
        }
        String session = session("pages");

        for (String order : List.of("desc", "asc")) {
            // When
            List<String> read = new ArrayList<>();
            String cursor = null;
            do {
                Response page = query(mapOf("session", List.of(session), "order", order, "limit", 2, "select", List.of("id"),
                        "end_time", "2026-11-20T08:00:10Z", "cursor", cursor));
                assertThat(page.jsonPath().getList("runs")).hasSizeLessThanOrEqualTo(2);
                read.addAll(page.jsonPath().getList("runs.id"));
                cursor = page.path("cursors.next");
                startedAt(order.equals("desc") ? start.plusSeconds(5) : start.minusSeconds(5), "pages");
            } while (cursor != null);

            // Then
            assertThat(read).doesNotHaveDuplicates().containsAll(sent);
            List<Instant> times = read.stream().filter(sent::contains)
                    .map(id -> start.plusSeconds(sent.indexOf(id) / 3)).toList();
            assertThat(times).isSortedAccordingTo(order.equals("asc") ? Instant::compareTo : (a, b) -> b.compareTo(a));
        }
    }

    @Test
    @Tag("full")
    void pageOfLargeRunsEndsAtTheSizeLimit() {
        // Given
        String large = "x".repeat(1_500_000);
        for (int i = 0; i < 5; i++) {
            post(TestRun.root().with("session_name", "large").with("inputs", Map.of("text", large)));
        }
        Map<String, Object> request = new HashMap<>(Map.of("session", List.of(session("large")), "select",
                List.of("id", "inputs")));

        // When
        Response first = query(request);
        request.put("cursor", first.path("cursors.next"));
        Response second = query(request);
        Response narrow = query(Map.of("session", List.of(session("large")), "select", List.of("id")));

        // Then
        assertThat(first.jsonPath().getList("runs")).hasSize(3);
        assertThat(second.jsonPath().getList("runs")).hasSize(2);
        assertThat(second.<String> path("cursors.next")).isNull();
        assertThat(narrow.jsonPath().getList("runs")).hasSize(5);
    }

    @Test
    void returns422WithAllViolations() {
        Map<String, Object> request = mapOf("limit", 101, "order", "up", "run_type", "x", "execution_order", 1,
                "search_filter", "x", "trace", "x", "is_root", "yes", "session", List.of("x", 7), "id", 7, "filter", "nope(",
                "tree_filter", "eq(name)", "select", List.of("id", "child_run_ids"));
        query(request).then().statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("trace"), List.of("is_root"), List.of("execution_order"),
                        List.of("limit"), List.of("order"), List.of("run_type"), List.of("search_filter"), List.of("filter"),
                        List.of("session", 0), List.of("session", 1), List.of("id"), List.of("tree_filter"),
                        List.of("select", 1)))
                .body("errors.find { it.loc == ['filter'] }.position", equalTo(1))
                .body("errors.find { it.loc[0] == 'select' }.message",
                        containsString("\"child_run_ids\" is not a field of a run; use one of id, name"));
        query(Map.of("id", List.of(UUID.randomUUID().toString()), "cursor", "x")).then().statusCode(422)
                .body("errors.loc", contains(List.of("cursor")));
    }

    @Test
    void returns422ForUnsupportedMember() {
        query(mapOf("id", UUID.randomUUID().toString(), "colour", "blue", "size", null)).then().statusCode(422)
                .body("errors.loc", contains(List.of("colour")))
                .body("errors[0].message", containsString("is not supported; leave it out"));
    }

    @Test
    void returns422WithoutIndexedCondition() {
        for (Map<String, Object> nothing : List.<Map<String, Object>> of(Map.of(), Map.of("session", List.of()),
                Map.of("filter", "eq(is_root, true)", "run_type", "llm"))) {
            query(nothing).then().statusCode(422).body("errors[0].type", equalTo("missing"))
                    .body("detail", containsString("session, id, trace, parent_run and reference_example"));
        }
    }

    @Test
    void cursorOfAnotherQueryOrWorkspaceIsRejected() {
        // Given
        TestRun.root();
        IntStream.range(0, 2).forEach(i -> post(TestRun.root().with("session_name", "cursors")));
        String session = session("cursors");
        Account other = Accounts.account().create();
        Map<String, Object> request = mapOf("session", List.of(session), "limit", 1);
        String cursor = query(request).path("cursors.next");
        assertThat(cursor).isNotNull();

        // When / Then
        request.put("cursor", cursor);
        query(request).then().statusCode(200).body("cursors.next", nullValue());
        as(other).contentType("application/json").body(TestRun.json(request)).post("/runs/query").then().statusCode(422)
                .body("errors[0].loc", contains("cursor"));
        request.put("is_root", true);
        query(request).then().statusCode(422).body("errors[0].loc", contains("cursor"));
    }

    @Test
    void cursorOfARedirectContinuesTheQueryOfTheBody() {
        // Given
        List<String> ids = IntStream.range(0, 2)
                .mapToObj(i -> startedAt(Instant.parse("2026-11-20T08:00:00Z").plusSeconds(i), "redirects")).toList();
        Map<String, Object> request = mapOf("session", List.of(session("redirects")), "limit", 1, "partial", false);
        String cursor = query(request).path("cursors.next");

        // When
        Response page = as(account).contentType("application/json").body(TestRun.json(request))
                .post("/runs/query?cursor=" + cursor);

        // Then
        assertThat(page.jsonPath().<String> getList("runs.id")).containsExactly(ids.getFirst());
        assertThat(page.jsonPath().<String> get("searched_until")).isNull();
    }

    // Links differ in every response.
    private static JsonNode withoutLinks(JsonNode run) {
        ((ObjectNode) run).remove("s3_urls");
        return run;
    }

    private TestRun post(TestRun run) {
        as(account).contentType("application/json").body(run.json()).post("/runs").then().statusCode(202);
        return run;
    }

    private String startedAt(Instant time, String session) {
        String id = UUID.randomUUID().toString();
        as(account).contentType("application/json").body(TestRun.json(Map.of("id", id, "name", "n", "run_type", "chain",
                "inputs", Map.of(), "start_time", time.toString(), "session_name", session))).post("/runs").then()
                .statusCode(202);
        return id;
    }

    private void addFeedback(TestRun run, Map<String, Object> members) {
        Map<String, Object> feedback = new LinkedHashMap<>(members);
        feedback.put("run_id", run.id().toString());
        as(account).contentType("application/json").body(TestRun.json(feedback)).post("/api/v1/feedback").then()
                .statusCode(200);
    }

    private String session(String name) {
        return as(account).get("/sessions?name=" + name).path("[0].id");
    }

    private Response query(Map<String, Object> request) {
        return as(account).contentType("application/json").body(TestRun.json(request)).post("/runs/query");
    }

    private void assertNames(Map<String, Object> request, String... names) {
        Response page = query(request);
        assertThat(page.statusCode()).as(page.asString()).isEqualTo(200);
        assertThat(page.jsonPath().<String> getList("runs.name")).as(request.toString()).containsExactlyInAnyOrder(names);
    }

    private static Map<String, Object> mapOf(Object... pairs) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
