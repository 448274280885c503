package dev.waybill.runtime.thread;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.RestAssured;

/** Threads and items with the official client {@code @langchain/langgraph-sdk}. */
@RuntimeTest
class ThreadSdkTest {

    @Test
    void officialClientManagesThreadsAndItems() throws Exception {
        // When
        JsonNode result = new ObjectMapper().readTree(RuntimeSettings.node().run("threads.mjs",
                "http://localhost:" + RestAssured.port, RuntimeSettings.KEY));

        // Then
        JsonNode created = result.get("created");
        assertThat(created.get("metadata").toString()).isEqualTo("{\"purpose\":\"sdk\",\"graph_id\":\"agent\"}");
        assertThat(result.get("again")).isEqualTo(created);
        assertThat(result.get("conflict").intValue()).isEqualTo(409);
        assertThat(result.get("supersteps").intValue()).isEqualTo(422);
        assertThat(result.at("/updated/metadata/step").intValue()).isEqualTo(2);
        assertThat(result.get("minimal").isNull()).isTrue();
        assertThat(result.at("/read/metadata/step").intValue()).isEqualTo(3);
        assertThat(result.get("found").get(0)).isEqualTo(result.get("read"));
        assertThat(result.get("selected").get(0).toString())
                .isEqualTo("{\"thread_id\":\"" + created.get("thread_id").textValue() + "\",\"status\":\"idle\"}");
        assertThat(result.get("count").intValue()).isEqualTo(1);
        assertThat(result.at("/copy/metadata")).isEqualTo(result.at("/read/metadata"));
        assertThat(result.at("/copy/thread_id")).isNotEqualTo(created.get("thread_id"));
        assertThat(result.get("deleted").intValue()).isEqualTo(404);
        assertThatItemsAreStored(result);
    }

    private static void assertThatItemsAreStored(JsonNode result) {
        assertThat(result.at("/item/value/n").intValue()).isEqualTo(1);
        assertThat(result.at("/item/createdAt").textValue()).isNotEmpty();
        assertThat(result.get("missing").isNull()).isTrue();
        assertThat(result.at("/items/items/0/key").textValue()).isEqualTo("b");
        assertThat(result.at("/items/items")).hasSize(1);
        assertThat(result.at("/namespaces/namespaces")).hasSize(1);
        assertThat(result.get("left").toString()).isEqualTo("[\"b\"]");
    }
}
