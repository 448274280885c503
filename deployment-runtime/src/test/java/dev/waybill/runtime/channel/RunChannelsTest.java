package dev.waybill.runtime.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.event.Json;
import io.vertx.core.buffer.Buffer;

/** Conversion of a run's events to the channels of the agent streaming protocol. */
class RunChannelsTest {

    private static final Set<String> ALL = Set.of("values", "updates", "messages", "lifecycle", "input", "custom", "tasks",
            "tools");
    private static final UUID RUN = UUID.fromString("0199c0de-0000-7000-8000-000000000001");
    private static final long CREATED = RUN.getMostSignificantBits() >>> 16;

    private int number;

    @Test
    void runBeginsAndIsCompleted() {
        List<JsonNode> events = convert(all(), event("metadata", "{}"), event("values", "{\"a\":1}"), event("end", "null"));

        assertThat(events).extracting(RunChannelsTest::summary).containsExactly(
                "lifecycle[] {\"event\":\"running\",\"graph_name\":\"agent\"}", "values[] {\"a\":1}",
                "lifecycle[] {\"event\":\"completed\",\"graph_name\":\"agent\"}");
        assertThat(events.getFirst().get("event_id").textValue()).startsWith("synth:" + RUN + ":");
        assertThat(events.get(1).at("/params/timestamp").longValue()).isEqualTo(5);
    }

    @Test
    void numbersIncreaseAndIdsAreUnique() {
        List<JsonNode> events = convert(all(), event("updates", "{\"a\":{},\"b\":{}}"), event("custom", "1"),
                event("end", "null"));

        assertThat(events).extracting(event -> event.get("seq").longValue()).isSorted().doesNotHaveDuplicates()
                .allMatch(seq -> seq > CREATED * 1000);
        assertThat(events).extracting(event -> event.get("event_id").textValue()).doesNotHaveDuplicates();
    }

    @Test
    void idsAreTheSameForOtherSubscriptions() {
        String[] run = { event("messages", chunk("m", "a")), event("updates", "{\"talk\":{}}"), event("end", "null") };

        List<String> updates = convert(filter(Set.of("updates"), -1), run).stream().map(e -> e.get("event_id").asText())
                .toList();

        assertThat(updates).hasSize(1);
        assertThat(convert(all(), run)).extracting(event -> event.get("event_id").textValue()).containsAll(updates);
    }

    @Test
    void idsAreTheSameWithoutDiscardedEvents() {
        String[] run = { event("metadata", "{}"), event("values|inner:1", "1"), event("custom|inner:1", "2"),
                event("values|inner:1", "3") };
        ChannelFilter filter = filter(Set.of("values", "custom"), -1);

        List<String> all = convert(filter, run).stream().map(RunChannelsTest::id).toList();
        List<String> retained = convert(filter, run[2], run[3]).stream().map(RunChannelsTest::id).toList();

        assertThat(retained).isEqualTo(all.subList(1, 3));
    }

    @Test
    void checkpointIsSentDirectlyBeforeItsValues() {
        String[] run = { named(event("values|inner:1", "{\"a\":1}"), "{\"id\":\"c\",\"parent_id\":\"b\"}"),
                event("values", "{\"a\":2}") };

        List<JsonNode> events = convert(filter(Set.of("checkpoints", "values"), -1), run);

        assertThat(events).extracting(RunChannelsTest::summary).containsExactly(
                "checkpoints[\"inner:1\"] {\"id\":\"c\",\"parent_id\":\"b\"}", "values[\"inner:1\"] {\"a\":1}",
                "values[] {\"a\":2}");
        assertThat(events).extracting(event -> event.get("seq").longValue()).isSorted().doesNotHaveDuplicates();
        assertThat(id(events.getFirst())).isEqualTo(RUN + ":0:checkpoint");
        assertThat(convert(filter(Set.of("values"), -1), run)).isEqualTo(events.subList(1, 3));
    }

    @Test
    void interruptsAreRequestedOnce() {
        String interrupt = "{\"__interrupt__\":[{\"id\":\"i\",\"value\":{\"q\":1}}]}";

        List<JsonNode> events = convert(all(), event("updates", interrupt), event("values", interrupt), event("end", "null"));

        assertThat(events).extracting(RunChannelsTest::summary)
                .contains("input.requested[] {\"interrupt_id\":\"i\",\"payload\":{\"q\":1}}")
                .endsWith("lifecycle[] {\"event\":\"interrupted\",\"graph_name\":\"agent\"}").hasSize(3);
    }

    @Test
    void chunksBecomeBlocksOfTheirMessage() {
        List<JsonNode> events = convert(filter(Set.of("messages"), -1), event("messages|talk:1", chunk("m", "Hel")),
                event("messages|talk:1", chunk("m", "lo")),
                event("messages|talk:1",
                        "[{\"id\":\"m\",\"type\":\"AIMessageChunk\",\"content\":\"\",\"tool_call_chunks\":[{\"index\":0,"
                                + "\"id\":\"c\",\"name\":\"add\",\"args\":\"{\\\"a\\\"\"}]},{\"langgraph_node\":\"talk\"}]"),
                event("messages|talk:1",
                        "[{\"id\":\"m\",\"type\":\"AIMessageChunk\",\"content\":\"\",\"usage_metadata\":{\"input_tokens\":2},"
                                + "\"tool_call_chunks\":[{\"index\":0,\"args\":\":1}\"}]},{\"langgraph_node\":\"talk\"}]"),
                event("updates", "{\"talk\":{}}"));

        assertThat(events).extracting(event -> event.at("/params/data/event").textValue()).containsExactly("message-start",
                "content-block-start", "content-block-delta", "content-block-delta", "content-block-finish",
                "content-block-start", "content-block-delta", "content-block-delta", "content-block-finish", "message-finish");
        assertThat(events.get(4).at("/params/data/content")).hasToString("{\"type\":\"text\",\"text\":\"Hello\"}");
        assertThat(events.get(8).at("/params/data/content").toString()).contains("\"type\":\"tool_call\"",
                "\"args\":{\"a\":1}");
        assertThat(events.getLast().at("/params/data/usage/input_tokens").intValue()).isEqualTo(2);
        assertThat(events).allMatch(event -> event.at("/params/node").textValue().equals("talk"));
    }

    @Test
    void messagesHaveTheNamespaceOfTheirTask() {
        String written = "{\"id\":\"m\",\"type\":\"ai\",\"content\":\"notes\"}";
        List<JsonNode> events = convert(filter(Set.of("messages"), -1),
                event("messages", "[" + written + ",{\"langgraph_node\":\"tools\",\"langgraph_checkpoint_ns\":\"tools:1\"}]"),
                event("updates", "{\"tools\":{}}"));

        assertThat(events).hasSize(5)
                .allSatisfy(event -> assertThat(event.at("/params/namespace")).hasToString("[\"tools:1\"]"));
    }

    @Test
    void namespacesStartAndAreCompletedWithTheirNode() {
        List<JsonNode> events = convert(filter(Set.of("lifecycle"), -1), event("values|inner:1", "{}"),
                event("updates", "{\"inner\":{}}"), event("values", "{}"), event("values|other:2|deep:3", "{}"),
                event("end", "null"));

        assertThat(events).extracting(event -> event.at("/params/namespace") + " " + event.at("/params/data/event").textValue())
                .containsExactly("[] running", "[\"inner:1\"] started", "[\"inner:1\"] completed", "[\"other:2\"] started",
                        "[\"other:2\",\"deep:3\"] started", "[\"other:2\"] completed", "[\"other:2\",\"deep:3\"] completed",
                        "[] completed");
    }

    @Test
    void filterSelectsNamespacesAndLaterEvents() {
        String[] run = { event("values", "1"), event("values|inner:1", "2"), event("values|inner:1|deep:2", "3") };
        ChannelFilter inner = new ChannelFilter(Set.of("values"), List.of(List.of("inner")), 0, -1);
        long second = convert(filter(Set.of("values"), -1), run).get(1).get("seq").longValue();

        assertThat(convert(inner, run)).extracting(RunChannelsTest::summary).containsExactly("values[\"inner:1\"] 2");
        assertThat(convert(filter(Set.of("values"), second), run)).extracting(event -> event.at("/params/data").intValue())
                .containsExactly(3);
    }

    @Test
    void laterAttemptHasOtherIdsAndLargerNumbers() {
        List<JsonNode> first = convert(all(), event("metadata", "{}"), event("values", "1"));
        number = (int) EventLog.ATTEMPT_NUMBERS;
        List<JsonNode> second = convert(all(), event("metadata", "{}"), event("values", "2"));

        assertThat(id(second.getLast())).isNotEqualTo(id(first.getLast()));
        assertThat(second.getLast().get("seq").longValue()).isGreaterThan(first.getLast().get("seq").longValue());
    }

    @Test
    void storedResultIsNewAndHasTheEndOfTheRun() {
        List<JsonNode> local = convert(all(), event("values", "{\"a\":1}"), event("end", "null"));
        RunChannels channels = channels(filter(ALL, Long.MAX_VALUE));
        channels.add(Buffer.buffer("event: values\ndata: {\"a\":1}\n\n"), 5);
        channels.end(5);

        List<JsonNode> stored = events(channels);
        assertThat(stored).extracting(RunChannelsTest::id).containsExactly(RUN + ":result:0", "synth:" + RUN + ":end");
        assertThat(local).extracting(RunChannelsTest::id).contains(id(stored.getLast()))
                .doesNotContain(id(stored.getFirst()));
    }

    @Test
    void messagesWithoutTheirFirstChunksAreLeftOut() {
        number = 7;
        List<JsonNode> events = convert(filter(Set.of("messages"), -1), event("messages", chunk("m", "lo")),
                event("messages", chunk("m", "!")), event("updates", "{\"talk\":{}}"), event("messages", chunk("n", "Hi")));

        assertThat(events).extracting(event -> event.at("/params/data/run_id").textValue()).isNotEmpty().containsOnly("n");
    }

    @Test
    void laterAttemptWithoutItsBeginHasCompleteMessagesOnly() {
        String first = event("messages", chunk("m", "Hello"));
        number = (int) EventLog.ATTEMPT_NUMBERS + 7;
        List<JsonNode> events = convert(filter(Set.of("messages"), -1), first, event("messages", chunk("n", "lo")),
                event("updates", "{\"talk\":{}}"), event("messages", chunk("o", "Hi")));

        assertThat(events).extracting(event -> event.at("/params/data/run_id").textValue()).contains("m", "o")
                .doesNotContain("n");
    }

    @Test
    void valuesThatAreNoObjectsAreSent() {
        assertThat(convert(filter(Set.of("values"), -1), event("values", "[\"__interrupt__\"]")))
                .extracting(RunChannelsTest::summary).containsExactly("values[] [\"__interrupt__\"]");
    }

    @Test
    void namedChannelsOfCustomEventsAreSelected() {
        List<JsonNode> events = convert(filter(Set.of("custom:a"), -1), event("custom", "{\"name\":\"a\"}"),
                event("custom", "{\"name\":\"b\"}"), event("custom", "1"));

        assertThat(events).extracting(RunChannelsTest::summary).containsExactly("custom[] {\"name\":\"a\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{'event':'on_tool_start','toolCallId':'c','name':'add','input':'{}'} "
                    + "| {'event':'tool-started','tool_call_id':'c','tool_name':'add','input':'{}'}",
            "{'event':'on_tool_event','toolCallId':'c','name':'add','data':{'a':1}} "
                    + "| {'event':'tool-output-delta','tool_call_id':'c','delta':'{\\'a\\':1}'}",
            "{'event':'on_tool_end','toolCallId':'c','output':{'type':'tool'}} "
                    + "| {'event':'tool-finished','tool_call_id':'c','output':{'type':'tool'}}",
            "{'event':'on_tool_error','toolCallId':'c','error':{'message':'no'}} "
                    + "| {'event':'tool-error','tool_call_id':'c','message':'no'}",
            "{'event':'tool-started','tool_call_id':'c','tool_name':'add','input':{'a':1}} "
                    + "| {'event':'tool-started','tool_call_id':'c','tool_name':'add','input':{'a':1}}",
            "{'event':'tool-output-delta','tool_call_id':'c','delta':'x'} "
                    + "| {'event':'tool-output-delta','tool_call_id':'c','delta':'x'}",
            "{'event':'tool-finished','tool_call_id':'c','output':1} "
                    + "| {'event':'tool-finished','tool_call_id':'c','output':1}",
            "{'event':'tool-error','tool_call_id':'c','message':'no'} "
                    + "| {'event':'tool-error','tool_call_id':'c','message':'no'}",
            "{'event':'tool-started'} | {'event':'tool-started','tool_call_id':'','tool_name':'unknown'}" })
    void callsOfToolsHaveTheFormOfTheProtocol(String event, String data) {
        List<JsonNode> events = convert(filter(Set.of("tools"), -1), event("tools", event.replace('\'', '"')));

        assertThat(events).extracting(RunChannelsTest::summary).containsExactly("tools[] " + data.replace('\'', '"'));
    }

    @Test
    void callsOfToolsHaveTheNamespaceOfTheirTask() {
        List<JsonNode> events = convert(filter(Set.of("tools"), -1), event("tools|inner:1",
                "{\"event\":\"on_tool_end\",\"toolCallId\":\"c\",\"langgraph_checkpoint_ns\":\"inner:1|tools:2\"}"));

        assertThat(events).extracting(RunChannelsTest::summary).containsExactly(
                "tools[\"inner:1\",\"tools:2\"] {\"event\":\"tool-finished\",\"tool_call_id\":\"c\",\"output\":null}");
    }

    @Test
    void unknownEventsOfToolsAreNotSent() {
        List<JsonNode> events = convert(filter(Set.of("tools"), -1),
                event("tools", "{\"event\":\"on_tool_progress\",\"toolCallId\":\"c\"}"));

        assertThat(events).isEmpty();
    }

    @Test
    void failedRunHasItsErrorAndCancelledRunNone() {
        List<JsonNode> failed = convert(all(), event("error", "{\"error\":\"E\",\"message\":\"broken\"}"));
        List<JsonNode> cancelled = convert(all(), event("error", "{\"error\":\"Cancelled\",\"message\":\"x\"}"));

        assertThat(summary(failed.getLast())).contains("\"event\":\"failed\"", "\"error\":\"broken\"");
        assertThat(summary(cancelled.getLast())).contains("\"event\":\"interrupted\"").doesNotContain("error");
    }

    private static ChannelFilter all() {
        return filter(ALL, -1);
    }

    private static ChannelFilter filter(Set<String> channels, long since) {
        return new ChannelFilter(channels, List.of(), Integer.MAX_VALUE, since);
    }

    private String event(String name, String data) {
        return "event: " + name + "\ndata: " + data + "\nid: " + RUN + ":" + number++ + "\n\n";
    }

    /** Adds the name of its checkpoint to an event. */
    private static String named(String event, String checkpoint) {
        return event.stripTrailing() + "\n" + EventLog.CHECKPOINT + checkpoint + "\n\n";
    }

    private static String chunk(String id, String content) {
        return "[{\"id\":\"" + id + "\",\"type\":\"AIMessageChunk\",\"content\":\"" + content
                + "\"},{\"langgraph_node\":\"talk\"}]";
    }

    private static List<JsonNode> convert(ChannelFilter filter, String... events) {
        RunChannels channels = channels(filter);
        channels.add(Buffer.buffer(String.join("", events)), 5);
        return events(channels);
    }

    private static RunChannels channels(ChannelFilter filter) {
        return new RunChannels(RUN, Instant.ofEpochMilli(CREATED), "agent", filter);
    }

    private static List<JsonNode> events(RunChannels channels) {
        List<JsonNode> converted = new ArrayList<>();
        for (RunEvent event : RunEvent.parse(withoutIds(channels.take()))) {
            converted.add(Json.parse(event.data()));
        }
        return converted;
    }

    /** The ids of channels' events have another form than those of runs. */
    private static Buffer withoutIds(Buffer events) {
        return Buffer.buffer(events.toString(StandardCharsets.UTF_8).replaceAll("(?m)^id: .*\n", ""));
    }

    private static String id(JsonNode event) {
        return event.get("event_id").textValue();
    }

    private static String summary(JsonNode event) {
        return event.get("method").textValue() + event.at("/params/namespace") + " " + event.at("/params/data");
    }
}
