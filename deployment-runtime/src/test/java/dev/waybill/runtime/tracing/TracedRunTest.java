package dev.waybill.runtime.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Management;
import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;
import io.restassured.RestAssured;

/** Traces of runs, and runs during faults of the trace store. */
@RuntimeTest
class TracedRunTest {

    private static final String MESSAGES = "\"stream_mode\": \"messages\"";

    private final Caller caller = Caller.authorized();

    @AfterEach
    void mend() {
        store("/mode/ok");
    }

    @Test
    void traceHasInputsOutputsAndSteps() {
        List<JsonNode> rows = traced(stream(Bodies.agent("tokens:3", MESSAGES, "\"metadata\": {\"customer\": \"Zoë\"}",
                "\"config\": {\"tags\": [\"a\"]}")), 2);

        JsonNode root = rows.get(0);
        JsonNode step = rows.get(1);
        assertThat(root.get("name").textValue()).isEqualTo("agent");
        assertThat(root.get("session_name").textValue()).isEqualTo("application");
        assertThat(root.at("/inputs/messages/0/content").textValue()).isEqualTo("tokens:3");
        assertThat(root.at("/outputs/messages/1/content").textValue()).isEqualTo("token-0 token-1 token-2 ");
        assertThat(root.at("/extra/metadata/customer").textValue()).isEqualTo("Zoë");
        assertThat(root.at("/tags/0").textValue()).isEqualTo("a");
        assertThat(root.has("error")).isFalse();
        assertThat(step.get("run_type").textValue()).isEqualTo("llm");
        assertThat(step.get("parent_run_id")).isEqualTo(root.get("id"));
        assertThat(step.at("/extra/metadata/usage_metadata/output_tokens").intValue()).isEqualTo(3);
        assertThat(step.at("/events/0/name").textValue()).isEqualTo("new_token");
        assertThat(step.at("/outputs/messages/0/content").textValue()).isEqualTo("token-0 token-1 token-2 ");
    }

    @Test
    void threadIsInTheMetadataOfItsRuns() {
        ThreadCaller thread = ThreadCaller.create();
        String run;
        try (EventReader events = EventReader.streamOnThread(thread.id(), Bodies.threads("hello"))) {
            events.rest();
            run = events.run();
        }

        JsonNode root = traced(run, 3).getFirst();

        assertThat(root.at("/extra/metadata/thread_id").textValue()).isEqualTo(thread.id());
        assertThat(root.at("/outputs/messages/1/content").textValue()).isEqualTo("1: hello");
    }

    @Test
    void langGraphNodesAndModelsAreSteps() {
        List<JsonNode> rows = traced(stream(Bodies.langgraph("tokens:4", MESSAGES)), 6);

        assertThat(rows).extracting(row -> row.get("name").textValue() + " " + row.get("run_type").textValue())
                .containsExactly("langgraph chain", "planner chain", "LangGraph chain", "outline chain", "answer chain",
                        "EchoModel llm");
        JsonNode result = rows.get(4);
        JsonNode model = rows.get(5);
        assertThat(rows.get(3).get("parent_run_id")).isEqualTo(rows.get(2).get("id"));
        assertThat(model.get("parent_run_id")).isEqualTo(result.get("id"));
        assertThat(result.at("/inputs/messages/0/content").textValue()).isEqualTo("tokens:4");
        assertThat(result.at("/outputs/messages/0/content").textValue()).isEqualTo("token-0 token-1 token-2 token-3 ");
        assertThat(result.at("/extra/metadata/langgraph_node").textValue()).isEqualTo("answer");
        assertThat(model.at("/inputs/messages/0/content").textValue()).isEqualTo("tokens:4");
        assertThat(model.at("/outputs/messages/0/content").textValue()).isEqualTo("token-0 token-1 token-2 token-3 ");
        assertThat(model.at("/events/0/name").textValue()).isEqualTo("new_token");
        assertThat(rows).allSatisfy(row -> assertThat(row.get("end_time").isTextual()).isTrue());
    }

    @Test
    void failedAndCancelledRunsHaveErrors() {
        List<JsonNode> failed = traced(stream(Bodies.langgraph("fail")), 6);
        String endless = caller.start(Bodies.agent("tokens:9 delay:900000"));
        caller.cancel(endless);

        assertThat(failed.get(0).get("error").textValue()).isEqualTo("AskedToFail: The agent was asked to fail.");
        assertThat(failed.getLast().get("error").textValue()).isEqualTo("AskedToFail: The agent was asked to fail.");
        assertThat(traced(endless, 1).getFirst().get("error").textValue()).isEqualTo("Cancelled: The run was cancelled.");
    }

    @Test
    @Tag("full")
    void runsSucceedWhileTraceStoreHangs() {
        // Given
        store("/mode/hang");
        caller.await(Bodies.agent("first")).then().statusCode(200);
        Patience.await().until(() -> !store("/hanging").equals("0"));
        double before = metric("traces_dropped_total{reason=\"full\"");

        // When: more than fits into the queue
        String large = "x".repeat(60_000);
        for (int i = 0; i < 30; i++) {
            caller.await(Bodies.agent(large)).then().statusCode(200).body("messages[1].content", equalTo(large));
        }

        // Then: all runs end before the store responds
        assertThat(store("/hanging")).isNotEqualTo("0");
        assertThat(metric("traces_dropped_total{reason=\"full\"")).isGreaterThan(before);
        assertThat(metric("traces_queue_bytes")).isLessThanOrEqualTo(1 << 20);
        store("/mode/ok");
        Patience.await().until(() -> metric("traces_queue_bytes") < 1 << 19);
        traced(stream(Bodies.agent("last")), 2);
    }

    @Test
    void runsSucceedWhileTraceStoreFails() {
        store("/mode/500");

        String run = stream(Bodies.agent("hello"));

        caller.get("/runs/" + run).then().body("status", equalTo("success"));
        store("/mode/ok");
        traced(run, 2);
    }

    @Test
    void excessStepsAreDroppedAfterTheFirstOnes() {
        double before = metric("traces_dropped_total{reason=\"trace_size\"");

        String run = stream(Bodies.misbehaving("steps"));

        caller.get("/runs/" + run).then().body("status", equalTo("success"));
        Patience.await().untilAsserted(() -> {
            int rows = rows(run).size();
            assertThat(rows).isPositive();
            assertThat(metric("traces_dropped_total{reason=\"trace_size\"")).isEqualTo(before + 5_001 - rows);
        });
    }

    @Test
    void stepFloodFailsItsRun() {
        try (EventReader events = EventReader.stream(Bodies.misbehaving("flood-of-steps"))) {
            Event last = events.rest().getLast();

            assertThat(last.name()).isEqualTo("error");
            assertThat(last.data().get("error").textValue()).isEqualTo("ProtocolViolation");
        }
    }

    /** Streams a run to its end and returns its id. */
    private static String stream(String body) {
        try (EventReader events = EventReader.stream(body)) {
            events.rest();
            return events.run();
        }
    }

    /** Waits for the run's trace; returns the root, then the steps by dotted order. */
    private static List<JsonNode> traced(String run, int rows) {
        Patience.await().untilAsserted(() -> assertThat(rows(run)).hasSize(rows));
        return rows(run);
    }

    private static List<JsonNode> rows(String run) {
        try {
            List<JsonNode> found = new ArrayList<>();
            for (JsonNode row : new ObjectMapper().readTree(store("/rows"))) {
                boolean again = found.stream().anyMatch(other -> other.get("id").equals(row.get("id")));
                if (row.get("trace_id").textValue().equals(run) && !again) {
                    found.add(row);
                }
            }
            return found;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String store(String path) {
        String address = ConfigProvider.getConfig().getValue("waybill.runtime.tracing.url", String.class);
        return RestAssured.given().urlEncodingEnabled(false).get(address + path).asString();
    }

    private static double metric(String beginning) {
        String text = Management.get("/q/metrics");
        Matcher line = Pattern.compile("(?m)^waybill_runtime_" + Pattern.quote(beginning) + ".*? ([0-9.E]+)$").matcher(text);
        assertThat(line.find()).as(beginning).isTrue();
        return Double.parseDouble(line.group(1));
    }
}
