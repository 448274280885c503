package dev.waybill.runtime.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

class MessageAssemblyTest {

    private final MessageAssembly messages = new MessageAssembly();

    @Test
    void textGrowsAndEveryMessageIsIntroducedAndCompletedOnce() {
        List<String> events = add(
                "[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":\"Hel\"},{\"node\":\"x\"}]",
                "[{\"id\":\"b\",\"type\":\"AIMessageChunk\",\"content\":\"Bon\"},{\"node\":\"y\"}]",
                "[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":\"lo\",\"usage\":{\"n\":2}},{\"node\":\"x\"}]",
                "[{\"id\":\"b\",\"type\":\"AIMessageChunk\",\"content\":\"jour\",\"chunk_position\":\"last\"},{\"node\":\"y\"}]");

        assertThat(events).containsExactly(
                "messages/metadata {\"a\":{\"metadata\":{\"node\":\"x\"}}}",
                "messages/partial [{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":\"Hel\"}]",
                "messages/metadata {\"b\":{\"metadata\":{\"node\":\"y\"}}}",
                "messages/partial [{\"id\":\"b\",\"type\":\"AIMessageChunk\",\"content\":\"Bon\"}]",
                "messages/partial [{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":\"Hello\",\"usage\":{\"n\":2}}]",
                "messages/partial [{\"id\":\"b\",\"type\":\"AIMessageChunk\",\"content\":\"Bonjour\",\"chunk_position\":\"last\"}]",
                "messages/complete [{\"id\":\"b\",\"type\":\"AIMessageChunk\",\"content\":\"Bonjour\",\"chunk_position\":\"last\"}]");
        assertThat(messages.complete()).extracting(part -> part.event() + " " + part.data().at("/0/content").textValue())
                .containsExactly("messages/complete Hello");
        assertThat(messages.complete()).isEmpty();
    }

    @Test
    void aMessageOfASubgraphIsCompletedThere() {
        messages.add(Json.parse("[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":\"Hel\"},{}]"
                .getBytes(StandardCharsets.UTF_8)), "|outer:1");
        assertThat(messages.complete()).extracting(MessageAssembly.Part::event).containsExactly("messages/complete|outer:1");
    }

    @Test
    void partsOfAMessageAreJoinedByTheirIndex() {
        List<String> events = add(
                "[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":[{\"index\":0,\"type\":\"text\",\"text\":\"Hel\"}]},{}]",
                "[{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":[{\"index\":0,\"text\":\"lo\"},{\"index\":1,\"type\":\"x\"}]},{}]");

        assertThat(events.getLast()).isEqualTo("messages/partial [{\"id\":\"a\",\"type\":\"AIMessageChunk\",\"content\":"
                + "[{\"index\":0,\"type\":\"text\",\"text\":\"Hello\"},{\"index\":1,\"type\":\"x\"}]}]");
    }

    @Test
    void aWholeMessageIsCompleteAtOnce() {
        assertThat(add("[{\"id\":\"a\",\"type\":\"ai\",\"content\":\"Hello\"},{}]")).containsExactly(
                "messages/metadata {\"a\":{\"metadata\":{}}}",
                "messages/complete [{\"id\":\"a\",\"type\":\"ai\",\"content\":\"Hello\"}]");
    }

    @Test
    void whatIsNoPairOfAMessageAndItsMetadataIsLeftOut() {
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
