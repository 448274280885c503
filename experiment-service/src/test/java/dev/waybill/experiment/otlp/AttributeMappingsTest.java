package dev.waybill.experiment.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the mapping table and its documentation. */
class AttributeMappingsTest {

    private static final String BEGIN = "<!-- table -->\n";
    private static final String END = "<!-- end of table -->";

    static Stream<AttributeMappings.AttributeMapping> mappings() {
        return AttributeMappings.MAPPINGS.stream();
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void everyMappingSetsItsTarget(AttributeMappings.AttributeMapping mapping) {
        // Given
        String attribute = mapping.isPrefix() ? mapping.prefix() + "0.role" : mapping.attribute();
        SpanAttributes attributes = attributes(Map.of(attribute, value(mapping)));

        // When
        Object result = switch (mapping.target()) {
            case NAME, SESSION_NAME, REFERENCE_EXAMPLE, OUTPUT_TEXT -> attributes.text(mapping.target());
            case RUN_TYPE -> attributes.runType();
            case INPUTS, OUTPUTS -> attributes.object(mapping.target(), "value");
            case INPUT_MESSAGES, SYSTEM_INSTRUCTIONS, OUTPUT_MESSAGES, OUTPUT_DOCUMENTS, OUTPUT_TOOL_CALLS ->
                attributes.list(mapping.target());
            case PROMPT_TOKENS, COMPLETION_TOKENS, TOTAL_TOKENS -> attributes.count(mapping.target());
            case PROMPT_COST, COMPLETION_COST, TOTAL_COST, TIME_TO_FIRST_TOKEN -> attributes.amount(mapping.target());
            case TAGS -> attributes.tags();
            case METADATA, INVOCATION_PARAMETERS -> attributes.members(mapping.target());
        };

        // Then
        assertThat(result).isNotIn(java.util.Optional.empty(), List.of(), Map.of());
    }

    @ParameterizedTest
    @CsvSource({ "gen_ai.operation.name, chat, llm", "gen_ai.operation.name, execute_tool, tool",
            "gen_ai.operation.name, embeddings, embedding", "gen_ai.operation.name, invoke_agent, chain",
            "openinference.span.kind, RETRIEVER, retriever", "openinference.span.kind, AGENT, chain",
            "openinference.span.kind, LLM, llm", "traceloop.span.kind, workflow, chain", "llm.request.type, completion, llm",
            "langsmith.span.kind, parser, parser",
            "gen_ai.operation.name, agent_step, chain", "ai.operationId, ai.streamText.doStream, llm",
            "ai.operationId, ai.streamText, chain", "ai.operationId, ai.toolCall, tool",
            "ai.operationId, ai.embedMany.doEmbed, embedding", "embedding.model_name, any-model, embedding",
            "gen_ai.request.model, any-model, llm" })
    void readsTheRunTypeFromAllAttributes(String attribute, String value, String runType) {
        assertThat(attributes(Map.of(attribute, value)).runType()).contains(runType);
    }

    @Test
    void unknownRunTypeFallsBackToTheNextMapping() {
        assertThat(attributes(Map.of("openinference.span.kind", "SOMETHING", "gen_ai.operation.name", "chat")).runType())
                .contains("llm");
    }

    @Test
    void assemblesIndexedMessagesInOrder() {
        // Given
        Map<String, Object> flattened = new LinkedHashMap<>();
        flattened.put("llm.input_messages.10.message.content", "last");
        flattened.put("llm.input_messages.2.message.content", "second");
        flattened.put("llm.input_messages.0.message.role", "user");
        flattened.put("llm.input_messages.0.message.contents.0.message_content.type", "text");
        flattened.put("llm.input_messages.0.message.tool_calls.1.tool_call.function.name", "search");

        // When
        Object list = attributes(flattened).list(AttributeMappings.Target.INPUT_MESSAGES).orElseThrow();

        // Then
        assertThat(RawJson.write(list)).hasToString("[{\"role\":\"user\",\"contents\":[{\"type\":\"text\"}],"
                + "\"tool_calls\":[{\"function\":{\"name\":\"search\"}}]},"
                + "{\"content\":\"second\"},{\"content\":\"last\"}]");
    }

    @Test
    void toleratesConflictingAndExtremeNames() {
        // Given
        Map<String, Object> hostile = new LinkedHashMap<>();
        hostile.put("gen_ai.prompt.0", "text");
        hostile.put("gen_ai.prompt.0.role", "user");
        hostile.put("gen_ai.prompt.999999999.a", "far");
        hostile.put("gen_ai.prompt.1" + ".x".repeat(100_000), "deep");

        // When
        Object list = attributes(hostile).list(AttributeMappings.Target.INPUT_MESSAGES).orElseThrow();

        // Then
        assertThat((List<?>) list).hasSize(3).first().isEqualTo("text");
    }

    @ParameterizedTest
    @CsvSource({ "7, 7", "7.0, 7", "-1,", "1e99,", "many,", "1e2147483647,", "1e-2147483647,", "0.5,", "'',",
            "9007199254740991, 9007199254740991", "9007199254740992," })
    void ignoresInvalidCounts(String value, Long count) {
        assertThat(attributes(Map.of("gen_ai.usage.input_tokens", value)).count(AttributeMappings.Target.PROMPT_TOKENS)
                .orElse(null))
                .isEqualTo(count);
    }

    @Test
    void parsesStructuresInTextOnly() {
        assertThat(RawJson
                .write(attributes(Map.of("input.value", " {\"q\": [1]} ")).object(AttributeMappings.Target.INPUTS, "input")
                        .orElseThrow()))
                .hasToString("{\"q\": [1]}");
        assertThat(RawJson
                .write(attributes(Map.of("input.value", "[1]")).object(AttributeMappings.Target.INPUTS, "input").orElseThrow()))
                .hasToString("{\"input\":[1]}");
        assertThat(RawJson
                .write(attributes(Map.of("input.value", "{no json}")).object(AttributeMappings.Target.INPUTS, "input")
                        .orElseThrow()))
                .hasToString("{\"input\":\"{no json}\"}");
        assertThat(RawJson.write(
                attributes(Map.of("input.value", "{\"a\":".repeat(9999) + "}")).object(AttributeMappings.Target.INPUTS, "input")
                        .orElseThrow())
                .length()).isGreaterThan(9999);
    }

    @Test
    void documentationContainsTheTable() throws IOException {
        // Given
        Path page = Path.of("../docs/otlp.md");
        String text = Files.readString(page);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        int to = text.indexOf(END);

        // When
        String expected = AttributeMappings.markdown();
        if (Boolean.getBoolean("otlp.update")) {
            Files.writeString(page, text.substring(0, from) + expected + text.substring(to));
            return;
        }

        // Then
        assertThat(text.substring(from, to)).as("run with -Dotlp.update=true to write it").isEqualTo(expected);
    }

    private static Object value(AttributeMappings.AttributeMapping mapping) {
        return switch (mapping.target()) {
            case RUN_TYPE -> "llm";
            case INPUT_MESSAGES, SYSTEM_INSTRUCTIONS, OUTPUT_MESSAGES, OUTPUT_DOCUMENTS, OUTPUT_TOOL_CALLS ->
                mapping.isPrefix() ? "user" : "[{\"role\": \"user\"}]";
            case PROMPT_TOKENS, COMPLETION_TOKENS, TOTAL_TOKENS -> 5L;
            case PROMPT_COST, COMPLETION_COST, TOTAL_COST, TIME_TO_FIRST_TOKEN -> 0.25;
            case METADATA, INVOCATION_PARAMETERS -> "{\"a\": 1}";
            default -> "text";
        };
    }

    private static SpanAttributes attributes(Map<String, Object> attributes) {
        Span span = new Span(new Span.Source(Map.of()));
        span.attributes.putAll(attributes);
        return new SpanAttributes(span);
    }
}
