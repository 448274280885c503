package dev.waybill.runtime.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.StreamSupport;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Patience;
import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.worker.Workers;
import io.restassured.RestAssured;

/** States of a thread of LangGraph.js with the official client {@code @langchain/langgraph-sdk}. */
@RuntimeTest
class StateSdkTest {

    @Inject
    Workers workers;

    @Test
    void officialClientUpdatesForksAndReadsStates() throws Exception {
        // Given
        Patience.await().until(() -> workers.unready().isEmpty());

        // When
        JsonNode result = new ObjectMapper().readTree(RuntimeSettings.node().run("states.mjs",
                "http://localhost:" + RestAssured.port, RuntimeSettings.KEY, "langgraph"));

        // Then
        assertThat(result.at("/empty/values").toString()).isEqualTo("{}");
        assertThat(result.at("/empty/next")).isEmpty();
        assertThat(result.at("/empty/checkpoint").isNull()).isTrue();
        assertThat(contents(result.get("newest"))).containsExactly("one", "three");
        assertThat(result.at("/newest/checkpoint/checkpoint_id")).isEqualTo(result.at("/fork/checkpoint/checkpoint_id"));
        assertThat(result.at("/newest/parent_checkpoint/checkpoint_id"))
                .isEqualTo(result.at("/first/checkpoint/checkpoint_id"));
        assertThat(contents(result.get("byId"))).containsExactly("one");
        assertThat(result.get("byCheckpoint")).isEqualTo(result.get("byId"));
        assertThat(result.get("history")).extracting(StateSdkTest::contents)
                .containsExactly(List.of("one", "three"), List.of("one", "two"));
        assertThat(result.get("earlier")).extracting(StateSdkTest::contents).containsExactly(List.of("one"));
        assertThat(contents(result.get("thread"))).containsExactly("one", "three");
        assertThat(result.at("/thread/status").textValue()).isEqualTo("idle");
        assertThat(contents(result.get("created"))).containsExactly("one", "two");
        assertThat(result.get("createdHistory")).extracting(StateSdkTest::contents).contains(List.of("one", "two"),
                List.of("one"));
        assertThat(result.get("withoutGraph").intValue()).isEqualTo(422);
    }

    private static List<String> contents(JsonNode state) {
        return StreamSupport.stream(state.at("/values/messages").spliterator(), false)
                .map(message -> message.get("content").textValue()).toList();
    }
}
