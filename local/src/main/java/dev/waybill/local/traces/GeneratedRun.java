package dev.waybill.local.traces;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;

import dev.waybill.local.client.Json;
import dev.waybill.local.traces.SampleRun.Step;

/**
 * A run that is generated from a recorded one.
 *
 * @param path the runs from the root of the trace to this one
 * @param start microseconds since 1970, like {@code end}
 * @param inputs JSON text, like {@code outputs} and {@code extra}
 */
public record GeneratedRun(SampleRun sample, List<Step> path, long start, long end, byte[] inputs, byte[] outputs,
        byte[] extra) {

    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSSSSS'Z'")
            .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
            .withZone(ZoneOffset.UTC);

    public UUID id() {
        return path.getLast().id();
    }

    public UUID traceId() {
        return path.getFirst().id();
    }

    /** Returns the ids of the ancestors, root first. */
    public List<UUID> parents() {
        return path.subList(0, path.size() - 1).stream().map(Step::id).toList();
    }

    public String dottedOrder() {
        return path.stream().map(step -> TIMESTAMP.format(instant(step.start())) + step.id()).collect(Collectors.joining("."));
    }

    public String startTime() {
        return TIME.format(instant(start));
    }

    public String endTime() {
        return TIME.format(instant(end));
    }

    /** Returns the run in the format of tracing clients. */
    public ObjectNode toJson(String session) {
        ObjectNode json = Json.object()
                .put("id", id().toString())
                .put("trace_id", traceId().toString())
                .put("dotted_order", dottedOrder())
                .put("name", sample.name())
                .put("run_type", sample.runType())
                .put("status", sample.status())
                .put("start_time", startTime())
                .put("end_time", endTime())
                .put("session_name", session)
                .put("error", sample.error())
                .put("prompt_tokens", sample.promptTokens())
                .put("completion_tokens", sample.completionTokens())
                .put("total_tokens", sample.totalTokens());
        if (path.size() > 1) {
            json.put("parent_run_id", parents().getLast().toString());
        }
        if (sample.totalCost() != null) {
            json.putRawValue("total_cost", new RawValue(sample.totalCost()));
        }
        ArrayNode tags = json.putArray("tags");
        sample.tags().forEach(tags::add);
        json.putRawValue("inputs", raw(inputs));
        json.putRawValue("outputs", raw(outputs));
        json.putRawValue("extra", raw(extra));
        return json;
    }

    private static RawValue raw(byte[] json) {
        return new RawValue(new String(json, StandardCharsets.UTF_8));
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
