package dev.waybill.runtime.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.runtime.protocol.Message.Step;
import dev.waybill.runtime.tracing.TraceRowWriter.TraceRow;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Format of traces. */
class TraceRowWriterTest {

    private static final String T = "20261121T08000";

    @Test
    void stepsHaveParentsAndDottedOrdersOfTheirRun() throws IOException {
        // When
        List<JsonNode> rows = rows(TracedFixture.run("{\"messages\":[]}", "{\"user\":\"Zoë\"}", "[\"a\"]"),
                TracedFixture.end(null, "{\"answer\":1}"),
                TracedFixture.startedStep("node", 1000, ",\"run_type\":\"chain\",\"inputs\":{\"a\":1}"),
                TracedFixture.startedStep("model", 2000, ",\"parent_id\":\"node\",\"run_type\":\"llm\",\"inputs\":\"hi\""),
                TracedFixture.step("model",
                        ",\"end_time\":1795248003000,\"first_token_time\":1795248002500,\"outputs\":{\"text\":\"ho\"},"
                                + "\"metadata\":{\"usage_metadata\":{\"input_tokens\":1}}"),
                TracedFixture.step("node", ",\"end_time\":1795248004000,\"outputs\":null,\"error\":\"E: no\""));

        // Then
        JsonNode root = rows.get(0);
        JsonNode node = rows.get(1);
        JsonNode model = rows.get(2);
        String id = root.get("id").textValue();
        assertThat(root.get("dotted_order").textValue()).isEqualTo(T + "0000001Z" + id);
        assertThat(node.get("dotted_order").textValue())
                .isEqualTo(root.get("dotted_order").textValue() + "." + T + "1000000Z" + node.get("id").textValue());
        assertThat(model.get("dotted_order").textValue())
                .isEqualTo(node.get("dotted_order").textValue() + "." + T + "2000000Z" + model.get("id").textValue());
        assertThat(rows).allSatisfy(row -> assertThat(row.get("trace_id").textValue()).isEqualTo(id));
        assertThat(rows).allSatisfy(row -> assertThat(row.get("session_name").textValue()).isEqualTo("project"));
        assertThat(root.has("parent_run_id")).isFalse();
        assertThat(node.get("parent_run_id").textValue()).isEqualTo(id);
        assertThat(model.get("parent_run_id")).isEqualTo(node.get("id"));
        assertThat(rows).extracting(row -> row.get("run_type").textValue()).containsExactly("chain", "chain", "llm");
        assertThat(root.at("/extra/metadata")).hasToString(
                "{\"user\":\"Zoë\",\"graph_id\":\"agent\",\"assistant_id\":\"" + TracedFixture.ASSISTANT + "\"}");
        assertThat(root.get("tags")).hasToString("[\"a\"]");
        assertThat(root.get("outputs")).hasToString("{\"answer\":1}");
        assertThat(model.get("inputs")).hasToString("{\"input\":\"hi\"}");
        assertThat(model.at("/extra/metadata/usage_metadata/input_tokens").intValue()).isOne();
        assertThat(List.of(root, model)).allSatisfy(row -> assertThat(row.get("events")).hasToString(
                "[{\"name\":\"new_token\",\"time\":\"2026-11-21T08:00:02.500000Z\"}]"));
        assertThat(node.get("error").textValue()).isEqualTo("E: no");
        assertThat(node.get("end_time").textValue()).isEqualTo("2026-11-21T08:00:04.000000Z");
    }

    @Test
    void unfinishedStepsFailWithTheirRun() throws IOException {
        List<JsonNode> rows = rows(TracedFixture.run("agent", "[1]"), TracedFixture.end("WorkerDied: gone", "null"),
                TracedFixture.startedStep("open", 1, ""), TracedFixture.startedStep("late", -5_000, ",\"end_time\":1"));

        assertThat(rows.get(0).get("inputs")).hasToString("{\"input\":[1]}");
        assertThat(rows.get(0).get("outputs")).hasToString("{}");
        assertThat(rows.get(1).get("error").textValue()).isEqualTo("WorkerDied: gone");
        assertThat(rows.get(1).get("end_time")).isEqualTo(rows.get(0).get("end_time"));
        // A wrong clock of the worker must not place steps before their run.
        assertThat(List.of(rows.get(2).get("start_time"), rows.get(2).get("end_time")))
                .containsOnly(rows.get(0).get("start_time"));
        assertThat(rows.get(2).has("error")).isFalse();
    }

    @Test
    void tooLargeValuesAreReplacedByTheirSize() throws IOException {
        String large = "\"" + "x".repeat(5_000) + "\"";

        List<JsonNode> rows = rows(TracedFixture.run("agent", "{\"a\":" + large + "}"), TracedFixture.end(null, large),
                TracedFixture.startedStep("step", 1, ""),
                TracedFixture.step("step",
                        ",\"end_time\":" + TracedFixture.START.plusSeconds(1).toEpochMilli() + ",\"outputs\":" + large));

        assertThat(rows.get(0).at("/inputs/omitted_bytes").intValue()).isGreaterThan(5_000);
        assertThat(rows.get(0).at("/outputs/omitted_bytes").intValue()).isGreaterThan(5_000);
        assertThat(rows.get(1).at("/outputs/omitted_bytes").intValue()).isEqualTo(large.length());
        assertThat(rows.get(1).get("end_time").textValue()).isEqualTo("2026-11-21T08:00:01.000000Z");
    }

    @Test
    void unpairedSurrogatesAreWritten() throws IOException {
        List<JsonNode> rows = rows(TracedFixture.run("{\"a\":\"\\ud83d\"}", "{\"a\":\"\\udc00\\u0000\"}", "[]"),
                TracedFixture.end("E: \ud83d", "{\"b\":\"\\ude00x\"}"));

        assertThat(rows.get(0).at("/inputs/a").textValue()).isEqualTo("\ud83d");
        assertThat(rows.get(0).get("error").textValue()).isEqualTo("E: \ud83d");
    }

    private static List<JsonNode> rows(TracedRun run, RunTrace.End end, Step... steps) throws IOException {
        TraceQueue queue = new TraceQueue(100_000);
        DroppedTraces drops = new DroppedTraces(new SimpleMeterRegistry(), Clock.systemUTC());
        RecordedTrace trace = new RecordedTrace(run, Instant.EPOCH, 4_000, queue, drops);
        trace.started(TracedFixture.START);
        for (Step step : steps) {
            trace.step(step);
        }
        trace.ended(end);
        List<TraceRow> written = new TraceRowWriter("project", "1").rows(queue.poll());
        assertThat(written.stream().mapToLong(TraceRow::reservedBytes).sum()).isEqualTo(queue.used());
        List<JsonNode> rows = new ArrayList<>();
        for (TraceRow row : written) {
            rows.add(new ObjectMapper().readTree(row.json()));
        }
        return rows;
    }
}
