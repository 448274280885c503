package dev.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Threads of the packaged runtime with clients that people use, and in comparison with the public development server
 * {@code @langchain/langgraph-api}: both serve the same graphs.
 */
@Tag("full")
class ThreadClientsIT {

    private static final String PAGE = """
            # Threads: differences from the public development server

            The test `ThreadClientsIT` makes %s calls with the LangGraph SDK of npm to the runtime and to the public development
            server (`@langchain/langgraph-api` %s, in memory), which serve the same graphs, and compares the responses: members,
            values, order of lists and events, status of failures. Ids and times are not compared; `null` and an absent member
            count as equal. The events of each channel of a thread are compared on their own.

            The responses are equal except for these accepted differences. The test generates this page
            (`-Dcompare.update=true` after an intended change) and fails on any other difference. A cell has at most two
            examples.

            %s
            """;

    @TempDir
    Path directory;

    @Test
    void answersDifferFromThePublicServerOnlyAsDocumented() throws Exception {
        // Given
        try (ComparedServers servers = ComparedServers.start(directory)) {

            // When
            JsonNode result = ComparedServers.run("compare.mjs", servers.runtime(), servers.publicServer());

            // Then
            assertThat(result.get("unaccepted")).as("differences that are not accepted").isEmpty();
            assertThat(result.get("unused")).as("accepted differences that do not exist").isEmpty();
            ComparedServers.assertThatPageIsCurrent("threads-differences.md", PAGE, result);
        }
    }

    @Test
    void reactHookChatsAnswersAndBranches() throws Exception {
        // Given
        ComparedServers.installGraphs();
        try (RuntimeProcess runtime = ComparedServers.startRuntime(directory)) {
            String address = runtime.awaitReady().toString();

            // When
            JsonNode result = ComparedServers.run("react.mjs", address);

            // Then
            assertThat(texts(result.at("/chat/shown"))).containsExactly("one", "1: one", "two", "3: two");
            assertThat(texts(result.at("/edited/shown"))).containsExactly("one", "1: one", "three", "3: three");
            assertThat(result.at("/edited/branches").intValue()).isEqualTo(2);
            assertThat(texts(result.get("switched"))).containsExactly("one", "1: one", "two", "3: two");
            assertThat(result.at("/interrupt/value/question").textValue()).isEqualTo("ask?");
            assertThat(texts(result.at("/interrupt/shown"))).containsExactly("hello");
            assertThat(texts(result.at("/resumed/shown"))).containsExactly("hello", "sent after 1");
            assertThat(texts(result.at("/resumed/log"))).containsExactly("ask \"yes\"", "sent");
            assertThat(result.get("errors")).isEmpty();
        }
    }

    @Test
    void reactHookOfChannelsChatsAnswersAndForks() throws Exception {
        // Given
        ComparedServers.installGraphs();
        try (RuntimeProcess runtime = ComparedServers.startRuntime(directory)) {
            String address = runtime.awaitReady().toString();

            // When
            JsonNode result = ComparedServers.run("react-channels.mjs", address);

            // Then
            assertThat(texts(result.at("/chat/shown"))).containsExactly("one", "1: one", "two", "3: two");
            assertThat(texts(result.get("edited"))).containsExactly("one", "1: one", "other", "3: other");
            assertThat(texts(result.get("reloaded"))).containsExactly("one", "1: one", "other", "3: other");
            assertThat(texts(result.get("continued"))).endsWith("3: other", "three", "5: three").hasSize(6);
            assertThat(texts(result.get("earlier"))).endsWith("earlier", "3: earlier").hasSize(4);
            assertThat(texts(result.get("again"))).contains("again").last().asString().endsWith(": again");
            assertThat(texts(result.at("/tokens/shown"))).containsExactly("hello", "one two");
            assertThat(result.at("/tokens/grows").booleanValue()).isTrue();
            assertThat(result.at("/interrupt/value/question").textValue()).isEqualTo("ask?");
            assertThat(result.at("/found/question").textValue()).isEqualTo("ask?");
            assertThat(texts(result.at("/answered/shown"))).containsExactly("hello", "sent after 1");
            assertThat(texts(result.at("/answered/log"))).containsExactly("ask \"yes\"", "sent");
            assertThat(texts(result.get("forked"))).containsExactly("hello", "sent after 1", "edited");
            assertThat(texts(result.get("nested"))).endsWith("confirm \"yes\"", "finished");
            assertThat(texts(result.at("/agent/shown"))).containsExactly("bees", "", "notes on bees", "I read notes on bees.");
            assertThat(texts(result.at("/agent/ever"))).as("messages of a model in a tool").doesNotContain("notes");
            assertThat(result.at("/agent/calls")).hasToString("[{\"name\":\"lookup\",\"callId\":\"call-1\","
                    + "\"args\":{\"topic\":\"bees\"},\"output\":\"notes on bees\",\"status\":\"finished\"}]");
            assertThat(texts(result.at("/agent/statuses"))).containsExactly("running", "finished");
            assertThat(result.get("failure").textValue()).isEqualTo("The agent was asked to fail.");
            assertThat(result.get("errors")).isEmpty();
        }
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::textValue).toList();
    }
}
