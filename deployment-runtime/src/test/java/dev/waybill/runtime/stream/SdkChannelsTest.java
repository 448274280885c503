package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.runtime.RuntimeSettings;
import dev.waybill.runtime.RuntimeTest;
import io.restassured.RestAssured;

/** Streams of threads with the official client {@code @langchain/langgraph-sdk}: {@code threads.stream} and its controller. */
@RuntimeTest
class SdkChannelsTest {

    private static final String ANSWERED = "[\"one\",\"1: one\",\"ask\",\"answered yes\"]";

    @Test
    void officialClientStreamsThreads() throws IOException, InterruptedException {
        JsonNode result = new ObjectMapper().readTree(RuntimeSettings.node().run("sdk-channels.mjs",
                "http://localhost:" + RestAssured.port, RuntimeSettings.KEY));

        assertThat(result.get("stream")).hasToString("{\"asked\":[\"ask\"],\"interrupted\":true,"
                + "\"payload\":{\"question\":\"sure?\"},\"answered\":[\"ask\",\"answered yes\"]}");
        assertThat(result.at("/messages/parts").intValue()).isGreaterThan(1);
        assertThat(result.at("/messages/text")).isEqualTo(result.at("/messages/final"));
        assertThat(result.get("failure")).hasToString("{\"run\":\"string\",\"events\":["
                + "{\"method\":\"lifecycle\",\"data\":{\"event\":\"running\",\"graph_name\":\"threads\"}},"
                + "{\"method\":\"lifecycle\",\"data\":{\"event\":\"failed\",\"graph_name\":\"threads\","
                + "\"error\":\"The agent was asked to fail.\"}}]}");
        assertThat(result.get("controller"))
                .hasToString("{\"chat\":[\"one\",\"1: one\"],\"question\":[{\"question\":\"sure?\"}],"
                        + "\"found\":[{\"question\":\"sure?\"}],\"answered\":[" + ANSWERED + "," + ANSWERED + ",[]],"
                        + "\"last\":[\"one\",\"1: one\",\"ask\",\"answered yes\",\"two\",\"5: two\"],\"error\":null,\"isLoading\":false}");
    }
}
