package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.RestAssured;

/** The official client {@code @langchain/langgraph-sdk} with a simple worker and with LangGraph.js. */
@RuntimeTest
class SdkTest {

    private static final List<String> MODES = List.of("updates", "messages", "messages-tuple", "values", "custom", "events",
            "debug", "tasks");

    @ParameterizedTest
    @ValueSource(strings = { "agent", "langgraph" })
    void officialClientWorks(String assistant) throws IOException, InterruptedException {
        // When
        JsonNode result = new ObjectMapper().readTree(RuntimeSettings.node().run("sdk.mjs",
                "http://localhost:" + RestAssured.port, RuntimeSettings.KEY, assistant));

        // Then
        assertThat(result.at("/assistant/name").textValue()).isEqualTo(assistant);
        assertThat(result.at("/schemas/graph_id").textValue()).isEqualTo(assistant);
        assertThat(names(result, "updates")).startsWith("metadata").contains("updates").endsWith("end");
        assertThat(names(result, "messages")).startsWith("metadata", "messages/metadata", "messages/partial")
                .contains("messages/complete").endsWith("end");
        assertThat(last(result.get("messages"), "messages/partial").at("/0/content").textValue()).isEqualTo("hello there");
        assertThat(pieces(result.get("messages-tuple"))).containsExactly("hello ", "there");
        assertThat(last(result.get("values"), "values").at("/messages/1/content").textValue()).isEqualTo("hello there");
        assertThat(names(result, "custom")).startsWith("metadata", "custom").endsWith("end");
        assertThat(names(result, "several")).contains("updates", "messages", "custom").endsWith("end");
        assertThat(names(result, "byId")).contains("updates").endsWith("end");
        assertThat(result.at("/answer/messages/1/content").textValue()).isEqualTo("hello there");
        assertThat(result.at("/joined/messages/1/content").textValue()).isEqualTo("hello there");
        assertThat(result.get("joinedAgain")).isEqualTo(result.get("joined"));
        assertThat(result.at("/joinedFailed/__error__/error").textValue()).isEqualTo("AskedToFail");
        assertThatModesGoTogether(result);
        assertThatRunsFailResumeAndAreCancelled(result);
        if (assistant.equals("langgraph")) {
            assertThatEveryModeOfLangGraphComesThrough(result);
        }
    }

    /** Each mode sends the same events alone and combined with others, and each stream has one end. */
    private static void assertThatModesGoTogether(JsonNode result) {
        assertThat(result.get("count").intValue()).isEqualTo(1);
        for (String mode : MODES) {
            assertThat(names(result, mode)).as(mode).startsWith("metadata").endsWith("end").containsOnlyOnce("metadata", "end");
            assertThat(names(result, "all")).as(mode).containsAll(names(result, mode));
        }
        assertThat(names(result, "all")).endsWith("end").containsOnlyOnce("metadata", "end");
        assertThat(names(result, "subgraphs")).extracting(name -> name.replaceAll("\\|.*", ""))
                .containsAll(names(result, "all")).endsWith("end").containsOnlyOnce("metadata", "end");
        assertThat(pieces(result.get("all"))).containsExactly("hello ", "there");
    }

    /** The sample has a subgraph, {@code planner}, whose events carry its namespace. */
    private static void assertThatEveryModeOfLangGraphComesThrough(JsonNode result) {
        assertThat(names(result, "updates")).containsExactly("metadata", "updates", "updates", "end");
        assertThat(last(result.get("updates"), "updates").at("/answer/messages/0/content").textValue())
                .isEqualTo("hello there");
        assertThat(result.get("custom")).extracting(event -> event.at("/data/plan").asText()).contains("answer 1 message(s)");
        assertThat(result.get("events")).extracting(event -> event.at("/data/event").asText())
                .contains("on_chain_start", "on_chat_model_stream", "on_chain_end");
        assertThat(result.get("debug")).extracting(event -> event.at("/data/type").asText()).contains("task", "task_result");
        assertThat(result.get("tasks")).extracting(event -> event.at("/data/name").asText()).contains("planner", "answer");
        assertThat(names(result, "subgraphs")).filteredOn(name -> name.contains("|"))
                .allMatch(name -> name.matches("[a-z/]+\\|(planner|answer):[0-9a-f-]+"))
                .anyMatch(name -> name.startsWith("messages|answer:"))
                .anyMatch(name -> name.startsWith("messages/complete|answer:"))
                .anyMatch(name -> name.startsWith("updates|"))
                .anyMatch(name -> name.startsWith("values|"))
                .anyMatch(name -> name.startsWith("debug|"))
                .anyMatch(name -> name.startsWith("tasks|"));
    }

    private static void assertThatRunsFailResumeAndAreCancelled(JsonNode result) {
        assertThat(result.get("raised").textValue()).isEqualTo("AskedToFail: The agent was asked to fail.");
        assertThat(names(result, "failed")).startsWith("metadata").endsWith("error").doesNotContain("end");
        assertThat(result.get("unknown").textValue()).startsWith("404").contains("agent, langgraph, misbehaving");
        assertThat(pieces(result.get("resumed"))).hasSize(6).startsWith("token-0 ").endsWith("token-5 ");
        assertThat(result.get("resumed")).extracting(event -> event.get("id").textValue()).doesNotHaveDuplicates();
        assertThat(names(result, "resumed")).endsWith("end");
        assertThat(last(result.get("cancelled"), "error").get("error").textValue()).isEqualTo("Cancelled");
        assertThat(result.get("after").textValue()).isEqualTo("interrupted");
    }

    private static List<String> names(JsonNode result, String stream) {
        return StreamSupport.stream(result.get(stream).spliterator(), false).map(event -> event.get("event").textValue())
                .toList();
    }

    private static JsonNode last(JsonNode events, String name) {
        JsonNode last = null;
        for (JsonNode event : events) {
            last = event.get("event").textValue().equals(name) ? event.get("data") : last;
        }
        assertThat(last).as("%s in %s", name, events).isNotNull();
        return last;
    }

    private static List<String> pieces(JsonNode events) {
        List<String> pieces = new ArrayList<>();
        for (JsonNode event : events) {
            if (event.get("event").textValue().equals("messages")) {
                pieces.add(event.at("/data/0/content").textValue());
            }
        }
        return pieces;
    }
}
