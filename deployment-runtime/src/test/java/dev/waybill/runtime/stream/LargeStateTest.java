package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasLength;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.waybill.runtime.Bodies;
import dev.waybill.runtime.EventReader;
import dev.waybill.runtime.EventReader.Event;
import dev.waybill.runtime.RuntimeTest;
import dev.waybill.runtime.ThreadCaller;

/** Runs whose state is larger than a line of the worker may be (docs/decisions/0212). */
@RuntimeTest
class LargeStateTest {

    private static final int SIZE = 6 << 20;
    private static final String FILL = "fill " + SIZE;

    @Test
    void largeStateIsReturnedAtTheEnd() {
        ThreadCaller thread = ThreadCaller.create();

        thread.await(Bodies.threads(FILL)).then().statusCode(200).body("messages[1].content", hasLength(SIZE));

        thread.read().then().body("status", equalTo("idle")).body("values.messages[1].content", hasLength(SIZE));
    }

    @Test
    void streamHasLargeValuesOnceAtTheEnd() {
        ThreadCaller thread = ThreadCaller.create();

        List<Event> first = stream(thread, Bodies.threads(FILL, "\"stream_mode\": [\"values\", \"updates\"]"));
        List<Event> second = stream(thread, Bodies.threads("hello"));

        assertThat(first).extracting(Event::name)
                .containsExactly("metadata", "values", "updates", "values", "omitted", "omitted", "values", "end");
        assertThat(first).extracting(event -> event.data().path("event").textValue()).contains("values", "updates");
        assertThat(first.get(6).data().at("/messages/1/content").textValue()).hasSize(SIZE);
        assertThat(second).extracting(Event::name)
                .containsExactly("metadata", "omitted", "omitted", "omitted", "values", "end");
        assertThat(second.get(4).data().at("/messages/3/content").textValue()).isEqualTo("3: hello");
    }

    @Test
    void unrequestedLargeEventsAreNotReported() {
        ThreadCaller thread = ThreadCaller.create();

        List<Event> events = stream(thread, Bodies.threads(FILL, "\"stream_mode\": [\"custom\", \"messages-tuple\"]"));

        assertThat(events).extracting(Event::name).containsExactly("metadata", "omitted", "end");
        assertThat(events.get(1).data().path("event").textValue()).isEqualTo("messages");
    }

    @Test
    void interruptOfLargeStateIsSentAndAnswered() {
        ThreadCaller thread = ThreadCaller.create();
        thread.await(Bodies.threads(FILL)).then().statusCode(200);

        List<Event> asked = stream(thread, Bodies.threads("ask"));
        List<Event> answered = stream(thread, Bodies.resume("yes"));

        assertThat(asked.reversed().get(1).data().at("/__interrupt__/0/value/question").textValue()).isEqualTo("sure?");
        assertThat(answered.reversed().get(1).data().at("/messages/3/content").textValue()).isEqualTo("answered yes");
    }

    @Test
    void channelsHaveLargeValuesAtTheEnd() {
        ThreadCaller thread = ThreadCaller.create();
        thread.await(Bodies.threads(FILL, "\"stream_resumable\": true")).then().statusCode(200);

        try (EventReader channels = EventReader.channels(thread.id(), "{\"channels\": [\"values\", \"lifecycle\"]}")) {
            thread.start(Bodies.threads("ask", "\"stream_mode\": [\"values\", \"updates\", \"tasks\"]"));
            Event values = channels.next().orElseThrow();
            while (!values.name().equals("values") || values.data().at("/params/data/messages").size() < 3) {
                values = channels.next().orElseThrow();
            }
            assertThat(values.data().at("/params/data/messages/1/content").textValue()).hasSize(SIZE);
            assertThat(channels.next().orElseThrow().data().at("/params/data/event").textValue()).isEqualTo("interrupted");
        }
    }

    private static List<Event> stream(ThreadCaller thread, String body) {
        try (EventReader stream = EventReader.streamOnThread(thread.id(), body)) {
            return stream.rest();
        }
    }
}
