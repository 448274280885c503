package dev.waybill.experiment.otlp;

import static dev.waybill.experiment.ApiClient.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import io.quarkus.test.junit.QuarkusTest;

/** Maps spans recorded from real instrumentations (src/test/resources/spans) to runs. */
@QuarkusTest
class RecordedSpansTest {

    private static final Path FOLDER = Path.of("src/test/resources/spans");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> MEMBERS = List.of("name", "run_type", "status", "error", "inputs", "outputs",
            "prompt_tokens", "completion_tokens", "total_tokens");

    private final Account account = Accounts.account().create();

    /** Updates the expected runs with {@code -Dspans.update=true}. */
    @ParameterizedTest
    @ValueSource(strings = { "ai-sdk-5", "ai-sdk-6", "ai-sdk-7", "openinference", "openllmetry", "openllmetry-0.14",
            "opentelemetry-openai" })
    void mapsRecordedSpansToExpectedRuns(String recording) throws IOException {
        // When
        StringBuilder runs = new StringBuilder();
        for (JsonNode run : runsOf(recording)) {
            runs.append(JSON.writeValueAsString(selectMembers(run))).append('\n');
        }

        // Then
        Path expected = FOLDER.resolve(recording + ".runs.jsonl");
        if (Boolean.getBoolean("spans.update")) {
            Files.writeString(expected, runs);
        }
        assertThat(runs.toString()).isEqualTo(Files.readString(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = { "ai-sdk-5", "ai-sdk-6", "ai-sdk-7", "openinference", "openllmetry", "openllmetry-0.14" })
    void normalizesMessagesOfModelCalls(String recording) throws IOException {
        for (JsonNode run : runsOf(recording)) {
            if (run.get("run_type").textValue().equals("llm") && run.get("status").textValue().equals("success")) {
                for (String side : List.of("inputs", "outputs")) {
                    assertThat(run.at("/" + side + "/messages")).as("%s of %s", side, run.get("name")).isNotEmpty()
                            .allSatisfy(RecordedSpansTest::requireNormalized);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({ "ai-sdk-5, 61, 16, 4", "ai-sdk-6, 61, 16, 4", "ai-sdk-7, 61, 16, 4" })
    void countsUsageOfModelCallsOnce(String recording, long prompt, long completion, long embedded)
            throws IOException {
        // Given
        runsOf(recording);

        // When
        var statistics = as(account).get("/sessions?name=default&include_stats=true").jsonPath();

        // Then
        assertThat(statistics.getLong("[0].prompt_tokens")).isEqualTo(prompt + embedded);
        assertThat(statistics.getLong("[0].completion_tokens")).isEqualTo(completion);
        assertThat(statistics.getLong("[0].total_tokens")).isEqualTo(prompt + embedded + completion);
    }

    @Test
    void errorContainsItsFirstLineOnce() throws IOException {
        for (String recording : List.of("ai-sdk-5", "ai-sdk-7")) {
            assertThat(runsOf(recording)).filteredOn(run -> run.get("status").textValue().equals("error")).isNotEmpty()
                    .allSatisfy(run -> assertThat(run.get("error").textValue())
                            .startsWith("Error: The provider is overloaded\nTry again later\n    at ")
                            .containsOnlyOnce("overloaded"));
        }
    }

    private static void requireNormalized(JsonNode message) {
        assertThat(message.get("role").textValue()).isIn("system", "user", "assistant", "tool");
        assertThat(message.has("content") || message.has("tool_calls")).isTrue();
        assertThat(message.toString()).doesNotContain("\"tool_call\":", "toolCallId", "\"parts\"", "message_content");
        for (JsonNode call : message.path("tool_calls")) {
            assertThat(call.at("/function/name").textValue()).isEqualTo("weather");
            assertThat(call.at("/function/arguments").textValue()).isEqualTo("{\"city\":\"Oslo\"}");
        }
    }

    private List<JsonNode> runsOf(String recording) throws IOException {
        byte[] body = Files.readAllBytes(FOLDER.resolve(recording + ".json"));
        as(account).contentType("application/json").body(body).post("/otel/v1/traces").then().statusCode(200);
        List<String> traces = new ArrayList<>();
        JSON.readTree(body).findValuesAsText("traceId").stream().distinct().forEach(traces::add);
        List<JsonNode> runs = new ArrayList<>();
        for (String trace : traces) {
            String id = trace.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
            String found = as(account).contentType("application/json").body(Map.of("trace", id, "order", "asc"))
                    .post("/runs/query").then().statusCode(200).extract().asString();
            JSON.readTree(found).get("runs").forEach(runs::add);
        }
        return runs;
    }

    private static JsonNode selectMembers(JsonNode run) {
        var selected = JSON.createObjectNode();
        MEMBERS.forEach(member -> selected.set(member, run.get(member)));
        selected.put("has_first_token", !run.get("first_token_time").isNull());
        selected.set("metadata", run.at("/extra/metadata"));
        selected.set("invocation_params", run.at("/extra/invocation_params"));
        return selected;
    }
}
