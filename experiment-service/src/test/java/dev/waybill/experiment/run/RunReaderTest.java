package dev.waybill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.json.Bytes;
import dev.waybill.experiment.json.ViolationCollector;

class RunReaderTest {

    private final RunReader reader = new RunReader();

    @Test
    void jsonMembersAreSlicesOfTheBody() {
        // Given
        String inputs = "{ \"a\" : [1.50, 1E2, \"\\u0000\\ud83d\\ude00 ä€😀\", {}],\n\t\"b\":null }";
        String extra = "{\"runtime\":{\"metadata\":{}}, \"metadata\" : {\"x\":  1, \"y\": \"}\"} , \"z\":[[]]}";
        String events = "[ {\"name\":\"start\"}, 7 ]";
        String body = "   {\"ä\": \"ö\", \"inputs\": " + inputs + ", \"extra\":" + extra + " ,\"events\" : " + events
                + ",\"serialized\":{}}  ";

        // When
        ReceivedRun run = read("xx" + body + "yy", 2, ViolationCollector.none());

        // Then
        assertThat(run.inputs).hasToString(inputs);
        assertThat(run.extra).hasToString(extra);
        assertThat(run.metadata).hasToString("{\"x\":  1, \"y\": \"}\"}");
        assertThat(run.events).hasToString(events);
        assertThat(run.serialized).hasToString("{}");
        assertThat(run.outputs).isNull();
    }

    @Test
    void tokensAndCostsEachHaveOneSource() {
        // When
        ReceivedRun run = read("""
                {"prompt_tokens": 1, "completion_tokens": 2,
                 "outputs": {"usage_metadata": {"input_tokens": 10, "total_tokens": 30, "output_cost": 0.25, "x": [1]}},
                 "extra": {"metadata": {"usage_metadata": {"output_tokens": 200, "total_tokens": 300, "total_cost": 7}}}}
                """);

        // Then
        assertThat(run.usage()).extracting(usage -> usage.promptTokens, usage -> usage.completionTokens,
                usage -> usage.totalTokens, usage -> usage.promptCost, usage -> usage.completionCost, usage -> usage.totalCost)
                .containsExactly(1L, 2L, 3L, null, new BigDecimal("0.250000000"), null);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "null", textBlock = """
            "prompt_tokens": 1, 1, null, null
            "total_tokens": 9, null, null, 9
            "name": "n", 10, 20, 30
            "total_cost": 1, 10, 20, 30
            """)
    void usageOfTheRunReplacesUsageInOutputs(String member, Long prompt, Long completion, Long total) {
        // When
        TokenUsage usage = read(
                "{" + member + ", \"outputs\": {\"usage_metadata\": {\"input_tokens\": 10, \"output_tokens\": 20}}}")
                .usage();

        // Then
        assertThat(usage.promptTokens).isEqualTo(prompt);
        assertThat(usage.completionTokens).isEqualTo(completion);
        assertThat(usage.totalTokens).isEqualTo(total);
    }

    @Test
    void missingTotalsAreSums() {
        assertThat(read("{\"prompt_cost\": \"0.5\", \"completion_cost\": 0.25, \"total_tokens\": 4}").usage().totalCost)
                .isEqualByComparingTo("0.75");
        assertThat(read("{\"prompt_cost\": 999999999, \"completion_cost\": 1}").usage().totalCost)
                .isEqualByComparingTo("999999999.999999999");
    }

    @Test
    void malformedUsageMetadataIsIgnored() {
        // When
        ReceivedRun run = read("""
                {"outputs": {"usage_metadata": {"input_tokens": "many", "output_tokens": -1, "total_tokens": 1e99,
                    "input_cost": {"a": 1}}}, "extra": {"metadata": {"usage_metadata": [1]}}}
                """);

        // Then
        assertThat(run.usage()).usingRecursiveComparison().isEqualTo(TokenUsage.UNKNOWN);
    }

    @Test
    void firstNewTokenEventHasTheFirstTokenTime() {
        // When
        ReceivedRun run = read("""
                {"events": [{"name": "start", "time": "2026-11-20T00:00:00Z"}, 3, {"name": "new_token"},
                    {"time": 1795161602500, "kwargs": {"name": "x", "time": 1}, "name": "new_token"},
                    {"name": "new_token", "time": "2026-11-20T09:00:00Z"}]}
                """);

        // Then
        assertThat(run.firstToken()).isEqualTo(Instant.ofEpochMilli(1795161602500L));
    }

    @ParameterizedTest
    @CsvSource({
            "2026-11-21T00:09:31.341001Z,   2026-11-21T00:09:31.341001Z",
            "2026-11-21T00:09:31,           2026-11-21T00:09:31Z",
            "2026-11-21T00:09:31.341001,    2026-11-21T00:09:31.341001Z",
            "2026-11-21T01:09:31.5+01:00,   2026-11-21T00:09:31.500Z",
            "2026-11-20T19:09:31.341-05:00, 2026-11-21T00:09:31.341Z",
    })
    void timesAreReadFromText(String text, Instant expected) {
        ReceivedRun run = read("{\"start_time\": \"%1$s\", \"end_time\": \"%1$s\"}".formatted(text));

        assertThat(run.startTime).isEqualTo(expected);
        assertThat(run.endTime).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({ "1795219772083, 2026-11-21T00:09:32.083Z", "1795219772083.25, 2026-11-21T00:09:32.083250Z",
            "0, 1970-01-01T00:00:00Z" })
    void timesAreReadFromMilliseconds(String number, Instant expected) {
        ReceivedRun run = read("{\"start_time\": %1$s, \"end_time\": %1$s}".formatted(number));

        assertThat(run.startTime).isEqualTo(expected);
        assertThat(run.endTime).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({ "0, 0E-9", "0.0000000005, 0E-9", "0.0000000015, 2E-9", "999999999.999999999, 999999999.999999999", "1e-400, 0",
            "'\"1.5\"', 1.500000000" })
    void costsAreRoundedToNineDecimalPlaces(String json, BigDecimal expected) {
        assertThat(read("{\"total_cost\": " + json + "}").usage().totalCost).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({ "1000000000", "999999999.9999999999", "1e999999999", "-0.1", "'\"NaN\"'", "true", "'\"\"'" })
    void costsOutOfRangeAreInvalid(String json) {
        // Given
        ViolationCollector violations = ViolationCollector.none();

        // When
        read("{\"total_cost\": " + json + "}", 0, violations);

        // Then
        assertThat(violations.count()).isOne();
    }

    @Test
    void allMembersOfTheWrongTypeAreReported() {
        // Given
        ViolationCollector violations = ViolationCollector.none();

        // When
        read("""
                {"id": 7, "trace_id": "x", "name": {"a": {}}, "tags": ["a", [1]], "inputs": [{}], "events": {"a": 1},
                 "start_time": [], "prompt_tokens": 1.5, "session_name": false, "error": 3, "end_time": null, "outputs": null}
                """, 0, violations);

        // Then
        assertThat(violations.count()).isEqualTo(10);
        assertThatThrownBy(violations::throwIfAny).isInstanceOf(ProblemException.class);
    }

    @Test
    void storedPatchIsReadUnchanged() {
        // Given
        ReceivedRun patch = read(
                """
                        {"name": "n\\"", "status": "error", "error": "e", "end_time": 1795219772083, "tags": ["a\\\\"], "total_tokens": 3,
                         "total_cost": 0.1, "outputs": {"z": "\\u0000", "usage_metadata": {"input_tokens": 4}},
                         "extra": {"metadata": {"m": 1}}, "events": [{"name": "new_token", "time": 5}]}
                        """);

        // When
        ReceivedRun reread = reader.readRun(EarlyPatchRepository.PatchWriter.write(patch), ViolationCollector.none());

        // Then
        assertThat(reread).usingRecursiveComparison().ignoringFieldsOfTypes(Bytes.class).isEqualTo(patch);
        assertThat(reread.outputs).hasToString(String.valueOf(patch.outputs));
        assertThat(reread.metadata).hasToString("{\"m\": 1}");
    }

    @Test
    void arrayElementsAreQuoted() {
        assertThat(RunStatements.arrayText(List.of("a", "b\"c", "d\\e", "", "NULL", "{,}")))
                .isEqualTo("{\"a\",\"b\\\"c\",\"d\\\\e\",\"\",\"NULL\",\"{,}\"}");
    }

    private ReceivedRun read(String json) {
        ViolationCollector violations = ViolationCollector.none();
        ReceivedRun run = read(json, 0, violations);
        assertThat(violations.count()).isZero();
        return run;
    }

    // Reads the text without {@code margin} bytes at each end.
    private ReceivedRun read(String text, int margin, ViolationCollector violations) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return reader.readRun(new Bytes(bytes, margin, bytes.length - 2 * margin), violations);
    }
}
