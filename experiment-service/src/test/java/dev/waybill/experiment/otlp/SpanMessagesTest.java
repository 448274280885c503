package dev.waybill.experiment.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests forms of messages that the recorded spans do not contain. */
class SpanMessagesTest {

    private final Span span = new Span(new Span.Source(Map.of()));

    @Test
    void readsMessagesFromEvents() {
        // Given
        event("gen_ai.system.message", Map.of("content", "You are brief."));
        event("gen_ai.user.message", Map.of("gen_ai.event.content", "{\"content\": \"How warm?\"}"));
        event("gen_ai.assistant.message",
                Map.of("tool_calls", "[{\"id\": \"1\", \"type\": \"function\", \"function\": {\"name\": \"weather\"}}]"));
        event("gen_ai.tool.message", Map.of("id", "1", "content", "4"));
        event("gen_ai.choice", Map.of("index", 0L, "finish_reason", "stop", "message",
                "{\"role\": \"assistant\", \"content\": \"Four.\"}"));

        // Then
        assertThat(json(messages().inputs().orElseThrow())).isEqualTo("{\"messages\":["
                + "{\"role\":\"system\",\"content\":\"You are brief.\"},{\"role\":\"user\",\"content\":\"How warm?\"},"
                + "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"weather\"}}]},"
                + "{\"role\":\"tool\",\"content\":\"4\",\"tool_call_id\":\"1\"}]}");
        assertThat(json(messages().outputs().orElseThrow())).contains("\"content\":\"Four.\"", "\"finish_reason\":\"stop\"")
                .doesNotContain("\"message\":");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            [{"role":"user","parts":[{"type":"text","content":"a"},{"type":"text","content":"b"}]}] | [{"role":"user","content":[{"type":"text","content":"a"},{"type":"text","content":"b"}]}]
            [{"role":"tool","parts":[{"type":"tool_call_response","id":"1","result":{"c":4}},{"type":"tool_call_response","id":"2","response":"x"}]}] | [{"role":"tool","tool_call_id":"1","content":"{\\"c\\":4}"},{"role":"tool","tool_call_id":"2","content":"x"}]
            [{"role":"assistant","parts":[{"type":"text","content":"t"},{"type":"tool_call","id":"1","name":"n","arguments":{"a":0.10}}]}] | [{"role":"assistant","content":"t","tool_calls":[{"id":"1","type":"function","function":{"name":"n","arguments":"{\\"a\\":0.10}"}}]}]
            [{"role":"user","content":[]}] | [{"role":"user","content":[]}]
            ["text",null,3,{"parts":7}] | ["text",null,3,{"parts":7}]
            {"role":"user","content":"one"} | [{"role":"user","content":"one"}]
            """)
    void normalizesMessages(String sent, String normalized) {
        // Given
        span.attributes.put("gen_ai.input.messages", sent);

        // Then
        assertThat(json(messages().inputs().orElseThrow())).isEqualTo("{\"messages\":" + normalized + "}");
    }

    @Test
    void prependsSystemInstructionsOnce() {
        // Given
        span.attributes.put("gen_ai.system_instructions", "[{\"type\":\"text\",\"content\":\"Be brief.\"}]");
        span.attributes.put("gen_ai.input.messages", "[{\"role\":\"user\",\"content\":\"q\"}]");

        // Then
        assertThat(json(messages().inputs().orElseThrow())).isEqualTo(
                "{\"messages\":[{\"role\":\"system\",\"content\":\"Be brief.\"},{\"role\":\"user\",\"content\":\"q\"}]}");
        span.attributes.put("gen_ai.input.messages", "[{\"role\":\"system\",\"content\":\"s\"}]");
        assertThat(json(messages().inputs().orElseThrow()))
                .isEqualTo("{\"messages\":[{\"role\":\"system\",\"content\":\"s\"}]}");
    }

    private void event(String name, Map<String, Object> attributes) {
        Span.Event event = new Span.Event();
        event.name = name;
        event.attributes.putAll(new java.util.TreeMap<>(attributes));
        span.events.add(event);
    }

    private SpanMessages messages() {
        return new SpanMessages(span, new SpanAttributes(span));
    }

    private static String json(Object value) {
        return RawJson.write(value).toString();
    }
}
