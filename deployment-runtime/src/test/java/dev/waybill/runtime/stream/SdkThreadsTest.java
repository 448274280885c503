package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.RestAssured;

/** Runs on threads with the official client {@code @langchain/langgraph-sdk}. */
@RuntimeTest
class SdkThreadsTest {

    @Test
    void officialClientUsesThreads() throws IOException, InterruptedException {
        JsonNode result = new ObjectMapper().readTree(RuntimeSettings.node().run("sdk-threads.mjs",
                "http://localhost:" + RestAssured.port, RuntimeSettings.KEY));

        assertThat(result.get("streamed")).extracting(event -> event.get("event").textValue())
                .startsWith("metadata", "values").contains("messages").endsWith("end");
        assertThat(result.get("created").toString()).isEqualTo("{\"run\":true,\"thread\":true}");
        assertThat(result.at("/second/messages/3/content").textValue()).isEqualTo("3: again");
        assertThat(result.get("runs")).extracting(run -> run.get("status").textValue()).containsExactly("success", "success");
        assertThat(result.at("/thread/status").textValue()).isEqualTo("idle");
        assertThat(result.at("/thread/metadata/source").textValue()).isEqualTo("sdk");
        assertThat(result.at("/thread/metadata/graph_id").textValue()).isEqualTo("threads");
        assertThat(result.at("/asked/__interrupt__/0/value/question").textValue()).isEqualTo("sure?");
        assertThat(result.at("/interrupted/status").textValue()).isEqualTo("interrupted");
        assertThat(result.at("/resumed/messages/5/content").textValue()).isEqualTo("answered yes");
        assertThat(result.at("/joined/messages/7/content").textValue()).isEqualTo("7: joined");
        assertThat(result.at("/found/status").textValue()).isEqualTo("success");
        assertThat(List.of(result.get("deleted").intValue(), result.get("unknown").intValue())).containsExactly(404, 404);
        assertThat(result.get("completions").toString())
                .isEqualTo("{\"logs\":[\"complete\",\"continue\",\"delete\",\"keep\"],\"alone\":true}");
        assertThatRunsAreCancelled(result);
        assertThat(result.get("stream").toString()).isEqualTo("{\"events\":[\"metadata\",\"values\",\"values\",\"values\","
                + "\"run_done\"],\"different\":true}");
        assertThat(result.get("several").toString()).isEqualTo("{\"logs\":[[\"one\"],[\"two\"]],\"cancelled\":null,"
                + "\"kept\":{\"pruned_count\":1},\"pruned\":{\"pruned_count\":1},\"missing\":{\"pruned_count\":0}}");
    }

    private static void assertThatRunsAreCancelled(JsonNode result) {
        assertThat(result.at("/cancelled/interrupt").toString()).isEqualTo("{\"run\":\"interrupted\",\"thread\":\"idle\"}");
        assertThat(result.at("/cancelled/rollback").toString()).isEqualTo("{\"run\":404,\"thread\":\"idle\"}");
        assertThat(result.at("/strategies/reject").toString()).isEqualTo("{\"first\":\"success\",\"next\":409}");
        assertThat(result.at("/strategies/enqueue").toString())
                .isEqualTo("{\"first\":\"success\",\"next\":[\"wait 1000\",\"next\"]}");
        assertThat(result.at("/strategies/interrupt").toString())
                .isEqualTo("{\"first\":\"interrupted\",\"next\":[\"wait 1000\",\"next\"]}");
        assertThat(result.at("/strategies/rollback").toString()).isEqualTo("{\"first\":404,\"next\":[\"next\"]}");
    }
}
