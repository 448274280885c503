package dev.waybill.experiment.query;

import static dev.waybill.experiment.ApiClient.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.experiment.TestRun;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

@QuarkusTest
class RunStatsTest {

    private final Account account = Accounts.account().create();

    @Test
    void statisticsCoverMatchingRunsAndCountTokensOnce() {
        // Given
        TestRun agent = post(TestRun.root().with("name", "agent").with("total_tokens", 45).with("prompt_tokens", 40)
                .with("total_cost", 3));
        TestRun model = post(TestRun.below(agent).with("run_type", "llm").with("total_tokens", 45).with("prompt_tokens", 40)
                .with("error", "x").with("total_cost", 0));
        addFeedback(model, Map.of("key", "k", "score", 1, "value", "good"));
        addFeedback(agent, Map.of("key", "k", "score", 0));
        String session = session();

        // Then
        stats(Map.of("session", List.of(session))).then().statusCode(200)
                .body("run_count", equalTo(2))
                .body("latency_p50", equalTo(2.376544f))
                .body("first_token_p50", nullValue())
                .body("total_tokens", equalTo(45))
                .body("prompt_tokens", equalTo(40))
                .body("completion_tokens", nullValue())
                .body("total_cost", equalTo(3.0f))
                .body("error_rate", equalTo(0.5f))
                .body("last_run_start_time", equalTo("2026-11-20T08:00:00.123456Z"))
                .body("feedback_stats.k.n", equalTo(2))
                .body("feedback_stats.k.avg", equalTo(0.5f))
                .body("feedback_stats.k.values", equalTo(Map.of("good", 1)));
        stats(Map.of("session", session, "run_type", "llm")).then().body("run_count", equalTo(1))
                .body("feedback_stats.k.avg", equalTo(1));
        stats(Map.of("trace", agent.id().toString(), "is_root", true)).then().body("total_tokens", equalTo(45));
        stats(Map.of("id", List.of(agent.id().toString()))).then().body("run_count", equalTo(1));
        stats(Map.of("session", session, "filter", "eq(name, \"nobody\")")).then().statusCode(200)
                .body("run_count", equalTo(0)).body("total_tokens", nullValue()).body("feedback_stats", nullValue());
    }

    @Test
    void returns422ForUnsupportedMembers() {
        stats(Map.of("data_source_type", "current", "group_by", "x", "run_type", "y", "filter", "z(")).then().statusCode(422)
                .body("errors.loc", containsInAnyOrder(List.of("data_source_type"), List.of("group_by"), List.of("run_type"),
                        List.of("filter")));
        stats(new HashMap<>()).then().statusCode(422).body("errors.type", contains("missing"));
    }

    @Test
    void runsOfAnotherWorkspaceAreNotCounted() {
        // Given
        TestRun run = post(TestRun.root());
        String session = session();
        Account stranger = Accounts.account().create();

        // Then
        for (Map<String, Object> request : List.<Map<String, Object>> of(Map.of("session", session),
                Map.of("id", run.id().toString()), Map.of("trace", run.id().toString()))) {
            as(stranger).contentType("application/json").body(TestRun.json(request)).post("/runs/stats").then().statusCode(200)
                    .body("run_count", equalTo(0));
        }
    }

    private TestRun post(TestRun run) {
        as(account).contentType("application/json").body(run.with("session_name", "stats").json()).post("/runs").then()
                .statusCode(202);
        return run;
    }

    private void addFeedback(TestRun run, Map<String, Object> members) {
        Map<String, Object> feedback = new HashMap<>(members);
        feedback.put("run_id", run.id().toString());
        as(account).contentType("application/json").body(TestRun.json(feedback)).post("/api/v1/feedback").then()
                .statusCode(200);
    }

    private String session() {
        return as(account).get("/sessions?name=stats").path("[0].id");
    }

    private Response stats(Map<String, Object> request) {
        return as(account).contentType("application/json").body(TestRun.json(request)).post("/runs/stats");
    }
}
