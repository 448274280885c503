package dev.waybill.runtime.assistant;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.Caller;
import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.RestAssured;

/** Stored assistants with the official client {@code @langchain/langgraph-sdk}. */
@RuntimeTest
class AssistantSdkTest {

    @Test
    void officialClientManagesAssistants() throws Exception {
        Patience.await().until(() -> Caller.authorized().get("/assistants/threads/schemas").statusCode() == 200);

        // When
        JsonNode result = new ObjectMapper().readTree(RuntimeSettings.node().run("assistants.mjs",
                "http://localhost:" + RestAssured.port, RuntimeSettings.KEY));

        // Then
        JsonNode created = result.get("created");
        assertThat(created.get("version").intValue()).isOne();
        assertThat(result.get("conflict").intValue()).isEqualTo(409);
        assertThat(result.get("again")).isEqualTo(created);
        assertThat(result.at("/updated/metadata").toString()).isEqualTo("{\"purpose\":\"sdk\",\"step\":2}");
        assertThat(result.get("versions")).extracting(version -> version.get("version").intValue()).containsExactly(2, 1);
        assertThat(result.get("read")).isEqualTo(result.get("latest"));
        assertThat(result.at("/latest/config")).isEqualTo(created.get("config"));
        assertThat(result.at("/found/assistants/0")).isEqualTo(result.get("read"));
        assertThat(result.at("/found/next").isNull()).isTrue();
        assertThat(result.get("selected").toString()).isEqualTo("[{\"name\":\"sdk\",\"version\":1}]");
        assertThat(result.get("count").intValue()).isOne();
        assertThat(result.at("/schemas/graph_id").textValue()).isEqualTo("threads");
        assertThat(result.at("/graph/nodes")).extracting(node -> node.get("id").textValue()).contains("begin", "talk");
        assertThat(result.get("subgraphs")).isEmpty();
        assertThat(result.at("/stateless/messages/1/content").textValue())
                .isEqualTo("{\"user\":\"u\",\"tone\":\"t\",\"name\":\"n\"}");
        assertThat(result.at("/onThread/messages/1/content").textValue()).isEqualTo("{\"user\":\"u\",\"tone\":\"t\"}");
        assertThat(result.get("deleted").intValue()).isEqualTo(404);
        assertThat(result.get("ofGraph").intValue()).isEqualTo(409);
    }
}
