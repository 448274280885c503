package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeTest;

@RuntimeTest
class RunStreamTest {

    @Test
    void streamStartsWithMetadataAndEndsWithEnd() {
        try (EventReader stream = EventReader.stream(Bodies.agent("hello there", "\"stream_mode\": \"updates\""))) {
            List<Event> events = stream.rest();

            assertThat(stream.status()).isEqualTo(200);
            assertThat(stream.header("Content-Type")).isEqualTo("text/event-stream");
            assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
            assertThat(stream.header("X-Accel-Buffering")).isEqualTo("no");
            assertThat(stream.header("X-Request-Id")).isNotEmpty();
            assertThat(stream.header("Location")).isEmpty();
            assertThat(events).extracting(Event::name).containsExactly("metadata", "updates", "end");
            assertThat(events).extracting(Event::id)
                    .containsExactly(stream.run() + ":0", stream.run() + ":1", stream.run() + ":2");
            assertThat(events.getFirst().data().toString())
                    .isEqualTo("{\"run_id\":\"" + stream.run() + "\",\"attempt\":1}");
            assertThat(events.get(1).data().at("/agent/messages/0/content").textValue()).isEqualTo("hello there");
            assertThat(events.getLast().data().isNull()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "values"                      | metadata,values,values,end
            "messages-tuple"              | metadata,messages,messages,end
            "custom"                      | metadata,custom,custom,end
            ["updates"]                   | metadata,updates,end
            "messages"                    | metadata,messages/metadata,messages/partial,messages/partial,messages/complete,end
            ["updates","messages-tuple"]  | metadata,messages,messages,updates,end
            ["values","custom"]           | metadata,values,custom,custom,values,end
            null                          | metadata,values,values,end
            []                            | metadata,values,values,end
            """)
    void modesAloneAndTogether(String mode, String events) {
        try (EventReader stream = EventReader.stream(Bodies.agent("hello there", "\"stream_mode\": " + mode))) {
            assertThat(stream.rest()).extracting(Event::name).containsExactly(events.split(","));
        }
    }

    @Test
    void concurrentRunsReceiveAllChunks() {
        // When: with background callbacks, LangChain would report chunks of all runs in one queue, some after their run's end
        List<EventReader> streams = IntStream.range(0, 16).mapToObj(run -> EventReader.stream(
                Bodies.langgraph("tokens:20", "\"stream_mode\": \"messages-tuple\""))).toList();

        // Then
        assertThat(streams).allSatisfy(stream -> {
            assertThat(stream.rest()).filteredOn(event -> event.name().equals("messages"))
                    .extracting(event -> event.data().at("/0/content").textValue())
                    .isEqualTo(IntStream.range(0, 20).mapToObj(piece -> "token-" + piece + " ").toList());
            stream.close();
        });
    }

    @Test
    void messagesModeAccumulatesChunks() {
        try (EventReader stream = EventReader.stream(
                Bodies.agent("tokens:3", "\"stream_mode\": [\"messages\", \"messages-tuple\"]"))) {
            List<Event> events = stream.rest();

            assertThat(events).filteredOn(event -> event.name().equals("messages"))
                    .extracting(event -> event.data().at("/0/content").textValue())
                    .containsExactly("token-0 ", "token-1 ", "token-2 ");
            assertThat(events).filteredOn(event -> event.name().equals("messages/partial"))
                    .extracting(event -> event.data().at("/0/content").textValue())
                    .containsExactly("token-0 ", "token-0 token-1 ", "token-0 token-1 token-2 ");
            assertThat(events).filteredOn(event -> event.name().equals("messages/complete"))
                    .extracting(event -> event.data().at("/0/content").textValue())
                    .containsExactly("token-0 token-1 token-2 ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "agent", "langgraph" })
    void onlyMessagesTupleModeSendsChunkTypes(String assistant) {
        String modes = "\"stream_mode\": [\"messages\", \"messages-tuple\", \"values\", \"updates\"]";
        String body = assistant.equals("agent") ? Bodies.agent("tokens:3", modes) : Bodies.langgraph("tokens:3", modes);
        try (EventReader stream = EventReader.stream(body)) {
            List<Event> events = stream.rest();

            assertThat(events).filteredOn(event -> event.name().equals("messages")).hasSize(3).allSatisfy(event -> {
                assertThat(event.data().at("/0/type").textValue()).isEqualTo("AIMessageChunk");
                assertThat(event.data().at("/1/run_id").textValue()).isEqualTo(stream.run());
            });
            assertThat(events)
                    .filteredOn(event -> event.name().startsWith("messages/p") || event.name().startsWith("messages/c"))
                    .hasSize(4).allSatisfy(event -> assertThat(event.data().at("/0/type").textValue()).isEqualTo("ai"));
            assertThat(events).filteredOn(event -> !event.name().equals("messages"))
                    .noneMatch(event -> event.data().toString().contains("AIMessageChunk"));
            assertThat(events).extracting(Event::name).containsSubsequence("messages/partial", "messages/complete", "updates",
                    "end");
        }
    }

    @Test
    void largeStreamKeepsAllEventsInOrder() {
        try (EventReader stream = EventReader.stream(Bodies.agent("tokens:20000", "\"stream_mode\": \"messages-tuple\""))) {
            List<Event> events = stream.rest();

            assertThat(events).hasSize(20_002);
            assertThat(events.subList(1, 20_001)).extracting(event -> event.data().at("/0/content").textValue())
                    .isEqualTo(IntStream.range(0, 20_000).mapToObj(i -> "token-" + i + " ").toList());
            assertThat(events).extracting(Event::id)
                    .isEqualTo(IntStream.range(0, 20_002).mapToObj(i -> stream.run() + ":" + i).toList());
        }
    }

    @Test
    void failedRunsStreamEndsWithError() {
        try (EventReader stream = EventReader.stream(Bodies.agent("fail"))) {
            List<Event> events = stream.rest();

            assertThat(events).extracting(Event::name).containsExactly("metadata", "error");
            assertThat(events.getLast().data().toString())
                    .isEqualTo("{\"error\":\"AskedToFail\",\"message\":\"The agent was asked to fail.\"}");
        }
    }

    @Test
    void silentStreamSendsHeartbeats() {
        try (EventReader silent = EventReader.stream(Bodies.misbehaving("stay", "\"stream_mode\": \"custom\""))) {
            silent.awaitHeartbeats(3);

            try (EventReader end = EventReader.stream(Bodies.misbehaving("end"))) {
                assertThat(end.rest()).extracting(Event::name).containsExactly("metadata", "end");
            }

            assertThat(silent.rest()).extracting(Event::name).containsExactly("custom", "end");
        }
    }

    @Test
    void specialCharactersArePreserved() {
        try (EventReader stream = EventReader.stream(
                Bodies.agent("a\\r\\ndata: b\\u2028 \\ud83d\\ude00 \\\"c\\\"", "\"stream_mode\": \"updates\""))) {
            assertThat(stream.rest().get(1).data().at("/agent/messages/0/content").textValue())
                    .isEqualTo("a\r\ndata: b\u2028 \ud83d\ude00 \"c\"");
        }
    }
}
