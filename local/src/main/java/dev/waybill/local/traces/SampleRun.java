package dev.waybill.local.traces;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;

/**
 * A recorded run that benchmark runs are generated from.
 *
 * @param path the runs from the root of the trace to this one
 * @param start microseconds since 1970, like all times here
 * @param inputs JSON text, like {@code outputs} and {@code extra}
 */
public record SampleRun(UUID traceId, List<Step> path, String name, String runType, String status, long start, long end,
        byte[] inputs,
        byte[] outputs, byte[] extra, @Nullable String error, List<String> tags, @Nullable Long promptTokens,
        @Nullable Long completionTokens, @Nullable Long totalTokens, @Nullable String totalCost) {

    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss")
            .withZone(ZoneOffset.UTC);
    private static final int TIMESTAMP_LENGTH = "20260220T190911903416Z".length();

    /** One segment of a dotted order: start time and id of a run. */
    public record Step(long start, UUID id) {

        private static Step parse(String segment) {
            String timestamp = segment.substring(0, TIMESTAMP_LENGTH);
            Instant second = LocalDateTime.parse(timestamp.substring(0, 15), TIMESTAMP).toInstant(ZoneOffset.UTC);
            long micros = Long.parseLong(timestamp.substring(15, 21));
            return new Step(second.getEpochSecond() * 1_000_000 + micros, UUID.fromString(segment.substring(TIMESTAMP_LENGTH)));
        }
    }

    public static SampleRun from(JsonNode run) {
        return new SampleRun(
                UUID.fromString(text(run, "trace_id")),
                Arrays.stream(text(run, "dotted_order").split("\\.")).map(Step::parse).toList(),
                text(run, "name"),
                text(run, "run_type"),
                text(run, "status"),
                micros(text(run, "start_time")),
                micros(text(run, "end_time")),
                Json.bytes(run.required("inputs")),
                Json.bytes(run.required("outputs")),
                Json.bytes(run.required("extra")),
                run.path("error").textValue(),
                StreamSupport.stream(run.path("tags").spliterator(), false).map(JsonNode::textValue).toList(),
                count(run, "prompt_tokens"),
                count(run, "completion_tokens"),
                count(run, "total_tokens"),
                run.hasNonNull("total_cost") ? run.get("total_cost").decimalValue().toPlainString() : null);
    }

    public UUID id() {
        return path.getLast().id();
    }

    /** Returns the size of its texts in bytes. */
    public int size() {
        return inputs.length + outputs.length + extra.length
                + (error == null ? 0 : error.getBytes(StandardCharsets.UTF_8).length);
    }

    private static String text(JsonNode run, String field) {
        return run.required(field).textValue();
    }

    private static @Nullable Long count(JsonNode run, String field) {
        return run.hasNonNull(field) ? (Long) run.get(field).longValue() : null;
    }

    private static long micros(String time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));
    }
}
