package dev.waybill.runtime.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

class MessageAssemblerTest {

    private final MessageAssembler messages = new MessageAssembler();

    @Test
    void chunksAreAccumulatedBetweenMetadataAndComplete() {
        List<String> events = add(
                "[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":\"Hel\"},{\"node\":\"x\"}]",
                "[{\"id\":\"b\",\"type\":\"AIMessageChunk\",\"content\":\"Bon\"},{\"node\":\"y\"}]",
                "[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":\"lo\",\"usage\":{\"n\":2}},{\"node\":\"x\"}]",
                "[{\"id\":\"b\",\"type\":\"AIMessageChunk\",\"content\":\"jour\",\"chunk_position\":\"last\"},{\"node\":\"y\"}]");

        assertThat(events).containsExactly(
                "messages/metadata {\"a\":{\"metadata\":{\"node\":\"x\"}}}",
                "messages/partial [{\"id\":\"a\",\"type\":\"ai\",\"content\":\"Hel\"}]",
                "messages/metadata {\"b\":{\"metadata\":{\"node\":\"y\"}}}",
                "messages/partial [{\"id\":\"b\",\"type\":\"ai\",\"content\":\"Bon\"}]",
                "messages/partial [{\"id\":\"a\",\"type\":\"ai\",\"content\":\"Hello\",\"usage\":{\"n\":2}}]",
                "messages/partial [{\"id\":\"b\",\"type\":\"ai\",\"content\":\"Bonjour\"}]",
                "messages/complete [{\"id\":\"b\",\"type\":\"ai\",\"content\":\"Bonjour\"}]");
        assertThat(messages.complete()).extracting(part -> part.event() + " " + part.data().at("/0/content").textValue())
                .containsExactly("messages/complete Hello");
        assertThat(messages.complete()).isEmpty();
    }

    @Test
    void subgraphMessageIsCompletedInItsNamespace() {
        messages.add(Json.parse("[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":\"Hel\"},{}]"
                .getBytes(StandardCharsets.UTF_8)), "|outer:1");
        assertThat(messages.complete()).extracting(MessageAssembler.Part::event).containsExactly("messages/complete|outer:1");
    }

    @Test
    void contentPartsAreMergedByIndex() {
        List<String> events = add(
                "[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":[{\"index\":0,\"type\":\"text\",\"text\":\"Hel\"}]},{}]",
                "[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":[{\"index\":0,\"text\":\"lo\"},{\"index\":1,\"type\":\"x\"}]},{}]");

        assertThat(events.getLast()).isEqualTo("messages/partial [{\"id\":\"a\",\"type\":\"ai\",\"content\":"
                + "[{\"index\":0,\"type\":\"text\",\"text\":\"Hello\"},{\"index\":1,\"type\":\"x\"}]}]");
    }

    @Test
    void nodeUpdateCompletesStreamedMessages() {
        // Given
        add("[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":\"\"},{}]",
                "[{\"id\":\"b\",\"type\":\"AIMessageChunk\",\"content\":\"Hel\"},{}]");

        // When
        List<MessageAssembler.Part> parts = messages.completeFrom(Json.parse("""
                {"model": {"messages": [{"id": "human", "type": "human"},
                    {"id": "a", "type": "ai", "content": "", "tool_calls": [{"name": "look", "args": {"q": 1}, "id": "c"}]}]},
                 "other": null, "third": {"count": 1, "answer": {"id": 7}}}""".getBytes(StandardCharsets.UTF_8)));

        // Then: only the updated message is complete, with its tool calls
        assertThat(parts).extracting(MessageAssembler.Part::event).containsExactly("messages/complete");
        assertThat(parts.getFirst().data().at("/0/tool_calls/0/args/q").intValue()).isEqualTo(1);
        assertThat(messages.hasIncomplete()).isTrue();
        assertThat(messages.complete()).extracting(part -> part.data().at("/0/id").textValue()).containsExactly("b");
    }

    @Test
    void toolCallsAreAssembledFromChunks() {
        // When
        List<String> events = add(
                "[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":\"\",\"tool_calls\":[{\"name\":\"\",\"args\":{}}],"
                        + "\"tool_call_chunks\":[{\"index\":0,\"id\":\"c\",\"name\":\"look\",\"args\":\"{\\\"q\\\":\"}]},{}]",
                "[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":\"\",\"chunk_position\":\"last\","
                        + "\"invalid_tool_calls\":[{\"args\":\"1}\"}],\"tool_call_chunks\":[{\"index\":0,\"args\":\"1}\"}]},{}]");

        // Then
        assertThat(events).element(1).asString()
                .contains("\"tool_calls\":[{\"name\":\"look\",\"args\":{},\"id\":\"c\",\"type\":\"tool_call\"}]");
        assertThat(events).last().asString().startsWith("messages/complete")
                .contains("\"tool_calls\":[{\"name\":\"look\",\"args\":{\"q\":1},\"id\":\"c\",\"type\":\"tool_call\"}]",
                        "\"invalid_tool_calls\":[]")
                .doesNotContain("tool_call_chunks", "AIMessageChunk");
    }

    @Test
    void wholeMessageIsCompletedImmediately() {
        assertThat(add("[{\"id\":\"a\",\"type\":\"ai\",\"content\":\"Hello\"},{}]")).containsExactly(
                "messages/metadata {\"a\":{\"metadata\":{}}}",
                "messages/complete [{\"id\":\"a\",\"type\":\"ai\",\"content\":\"Hello\"}]");
    }

    @Test
    void invalidPairsAreIgnored() {
        assertThat(add("7", "[]", "[\"text\",{}]", "{\"id\":\"a\"}")).isEmpty();
    }

    private List<String> add(String... pairs) {
        List<String> events = new ArrayList<>();
        for (String pair : pairs) {
            messages.add(Json.parse(pair.getBytes(StandardCharsets.UTF_8)), "")
                    .forEach(part -> events.add(part.event() + " " + part.data()));
        }
        return events;
    }
}
