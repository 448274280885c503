package dev.waybill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextPreviewTest {

    @ParameterizedTest
    @ValueSource(strings = {
            // OpenAI
            """
                    {"model": "gpt-5", "messages": [{"role": "system", "content": "You help."}, {"role": "user", "content": "first"},
                    {"role": "assistant", "content": "yes"}, {"role": "user", "content": "Where is it?"}]}""",
            // Anthropic
            """
                    {"system": "You help.", "messages": [{"content": [{"type": "image", "source": {"data": "aGk="}},
                    {"type": "text", "text": "Where is it?"}], "role": "user"}], "max_tokens": 7}""",
            // LangChain: constructors, messages and pairs
            """
                    {"messages": [[{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "SystemMessage"],
                    "kwargs": {"content": "You help."}}, {"lc": 1, "type": "constructor",
                    "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "Where is it?"}}]]}""",
            """
                    {"messages": [{"type": "system", "content": "x"}, {"content": "Where is it?", "type": "human", "id": "7"}]}""",
            """
                    {"input": [{"type": "human", "data": {"content": "Where is it?"}}]}""",
            """
                    {"messages": [["system", "You help."], ["human", "Where is it?"]]}""",
            // OpenTelemetry: JSON in a string
            """
                    {"gen_ai.input.messages": "[{\\"role\\": \\"user\\", \\"parts\\": [{\\"type\\": \\"text\\", \\"content\\": \\"Where is it?\\"}]}]"}""",
            // no messages
            """
                    {"id": "9b1d", "question": "Where is it?"}""",
            """
                    {"n": 1, "context": {"docs": ["a"]}, "query": " Where\\n is   it? "}""" })
    void lastMessageOfTheUserOrTheQuestionIsShown(String inputs) {
        assertThat(TextPreview.ofInputs(inputs)).isEqualTo("Where is it?");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            """
                    {"id": "chatcmpl-1", "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "There."}}]}""",
            """
                    {"role": "assistant", "content": [{"type": "text", "text": "There."}], "stop_reason": "end_turn"}""",
            """
                    {"generations": [[{"text": "There.", "message": {"kwargs": {"type": "ai", "content": "There."}}}]]}""",
            """
                    {"messages": [{"type": "human", "content": "Where?"}, {"type": "ai", "content": "There."}]}""",
            """
                    {"output": "There."}""", """
                    {"documents": [{"page_content": "There."}, {"page_content": "Not there."}]}""", """
                    "There.\"""" })
    void lastMessageOfTheModelOrTheAnswerIsShown(String outputs) {
        assertThat(TextPreview.ofOutputs(outputs)).isEqualTo("There.");
    }

    @ParameterizedTest
    @ValueSource(strings = { "{}", "[]", "{\"n\":1}", "{\"a\":[true,null]}", "" })
    void documentWithoutTextIsShownAsItIs(String json) {
        assertThat(TextPreview.ofInputs(json)).isEqualTo(json);
    }

    @Test
    void absentDocumentHasNoPreview() {
        assertThat(TextPreview.ofInputs(null)).isNull();
        assertThat(TextPreview.ofOutputs(null)).isNull();
    }

    @Test
    void documentCutAnywhereHasAStorablePreview() {
        String json = "{\"id\": \"1\", \"messages\": [{\"role\": \"user\", \"content\": \"a \\\"b\\\" \\ud83d\\ude00 \\\\ \\u00e4 "
                + "x".repeat(TextPreview.SOURCE_LENGTH) + "\"}]}";

        for (int end = 0; end < 90; end++) {
            assertThat(TextPreview.ofInputs(json.substring(0, end))).doesNotContain("\ud83d ").hasSizeLessThanOrEqualTo(250);
        }
        for (int begin = 0; begin < 80; begin++) {
            String beginning = " ".repeat(TextPreview.SOURCE_LENGTH - begin) + json.substring(0, begin);
            assertThat(TextPreview.ofInputs(beginning)).hasSizeLessThanOrEqualTo(250);
        }
        assertThat(TextPreview.ofInputs(json.substring(0, TextPreview.SOURCE_LENGTH)))
                .startsWith("a \"b\" \ud83d\ude00 \\ \u00e4 xxx")
                .hasSize(250 + 1);
    }

    @Test
    void deepAndHostileDocumentsAreShown() {
        assertThat(TextPreview.ofInputs("{\"a\":".repeat(1_200) + "\"x\"")).startsWith("{\"a\":");
        assertThat(TextPreview.ofInputs("{\"a\": \"[[[[[[\", \"b\": \"{\\\"text\\\": \\\"{\\\\\\\"text\\\\\\\"\\\"}\"}"))
                .isEqualTo("[[[[[[");
        assertThat(TextPreview.ofInputs("{\"text\": \"\\u0000\\ud800\"}")).isEqualTo("\ufffd\ufffd");
        assertThat(TextPreview.ofInputs("{\"text\": \"<script>alert(1)</script>\"}")).isEqualTo("<script>alert(1)</script>");
    }
}
