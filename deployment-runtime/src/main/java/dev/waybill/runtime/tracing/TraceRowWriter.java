package dev.waybill.runtime.tracing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.waybill.common.time.Timestamps;
import dev.waybill.runtime.tracing.TraceQueue.CompletedTrace;

/** Writes traces in the format of trace stores (contract.md "Trace intake"): the run is the root, its steps are descendants. */
final class TraceRowWriter {

    private static final int MAX_ERROR_LENGTH = 16_000;

    // Unpaired surrogates, which JSON may contain, can only be written as escapes.
    private final ObjectMapper mapper = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private final String project;
    private final String version;

    TraceRowWriter(String project, String version) {
        this.project = project;
        this.version = version;
    }

    /** Returns the row of the run, then those of its steps; the last one carries the reserved memory of the trace. */
    List<TraceRow> rows(CompletedTrace trace) {
        List<TraceRow> rows = new ArrayList<>();
        Map<UUID, String> dottedOrders = new HashMap<>();
        String root = Timestamps.compact(trace.start()) + trace.run().id();
        rows.add(row(trace, json -> writeRun(trace, root, json)));
        for (TracedStep step : trace.steps()) {
            TracedStep parent = step.parent;
            String parentOrder = parent == null ? root : Objects.requireNonNullElse(dottedOrders.get(parent.id), root);
            String dottedOrder = parentOrder + "." + Timestamps.compact(within(trace, step.start)) + step.id;
            dottedOrders.put(step.id, dottedOrder);
            rows.add(row(trace, json -> writeStep(trace, step, dottedOrder, json)));
        }
        rows.set(rows.size() - 1, rows.getLast().withReservedBytes(trace.reservedBytes()));
        return rows;
    }

    private void writeRun(CompletedTrace trace, String dottedOrder, JsonGenerator json) throws IOException {
        RunTrace.End end = trace.end();
        json.writeStringField("id", trace.run().id().toString());
        writeTraceMembers(trace, dottedOrder, json);
        json.writeStringField("name", trace.run().graph());
        json.writeStringField("run_type", "chain");
        writeTimes(trace.start(), end.at(), json);
        writeError(end.error(), json);
        writeNode("inputs", "input", trace.run().inputs(), json);
        writeNode("outputs", "output", end.outputs(), json);
        JsonNode tags = trace.run().tags();
        if (tags != null) {
            json.writeObjectField("tags", tags);
        }
        Instant first = trace.steps().stream().map(step -> step.firstToken).filter(Objects::nonNull)
                .min(Instant::compareTo).orElse(null);
        writeFirstToken(first == null ? null : within(trace, first), json);
        json.writeObjectFieldStart("extra");
        json.writeObjectFieldStart("metadata");
        JsonNode metadata = trace.run().metadata();
        if (metadata != null) {
            for (Map.Entry<String, JsonNode> member : metadata.properties()) {
                json.writeObjectField(member.getKey(), member.getValue());
            }
        }
        json.writeStringField("graph_id", trace.run().graph());
        json.writeStringField("assistant_id", trace.run().assistant().toString());
        if (trace.run().thread() != null) {
            json.writeStringField("thread_id", trace.run().thread().toString());
        }
        json.writeEndObject();
        json.writeObjectFieldStart("runtime");
        json.writeStringField("library", "waybill");
        json.writeStringField("library_version", version);
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeStep(CompletedTrace trace, TracedStep step, String dottedOrder, JsonGenerator json) throws IOException {
        RunTrace.End end = trace.end();
        // Steps without an end failed with their run; if the run succeeded, the worker did not report their end.
        boolean failed = step.end == null && end.error() != null;
        Instant start = within(trace, step.start);
        json.writeStringField("id", step.id.toString());
        writeTraceMembers(trace, dottedOrder, json);
        TracedStep parent = step.parent;
        json.writeStringField("parent_run_id", (parent == null ? trace.run().id() : parent.id).toString());
        json.writeStringField("name", step.name);
        json.writeStringField("run_type", step.runType);
        Instant ended = failed ? end.at() : step.end;
        writeTimes(start, ended == null ? null : notBefore(start, within(trace, ended)), json);
        writeError(step.error == null && failed ? end.error() : step.error, json);
        writeBytes("inputs", "input", step.inputs, json);
        writeBytes("outputs", "output", step.outputs, json);
        writeFirstToken(step.firstToken == null ? null : notBefore(start, within(trace, step.firstToken)), json);
        byte[] metadata = step.metadata;
        if (metadata != null) {
            json.writeObjectFieldStart("extra");
            json.writeFieldName("metadata");
            json.writeRawValue(new String(metadata, StandardCharsets.UTF_8));
            json.writeEndObject();
        }
    }

    private void writeTraceMembers(CompletedTrace trace, String dottedOrder, JsonGenerator json) throws IOException {
        json.writeStringField("trace_id", trace.run().id().toString());
        json.writeStringField("dotted_order", dottedOrder);
        json.writeStringField("session_name", project);
    }

    private static void writeTimes(Instant start, @Nullable Instant end, JsonGenerator json) throws IOException {
        json.writeStringField("start_time", Timestamps.format(start));
        if (end != null) {
            json.writeStringField("end_time", Timestamps.format(end));
        }
    }

    private static void writeError(@Nullable String error, JsonGenerator json) throws IOException {
        if (error != null) {
            json.writeStringField("error", error.length() <= MAX_ERROR_LENGTH ? error : error.substring(0, MAX_ERROR_LENGTH));
        }
    }

    private static void writeFirstToken(@Nullable Instant at, JsonGenerator json) throws IOException {
        if (at != null) {
            json.writeArrayFieldStart("events");
            json.writeStartObject();
            json.writeStringField("name", "new_token");
            json.writeStringField("time", Timestamps.format(at));
            json.writeEndObject();
            json.writeEndArray();
        }
    }

    /** Writes a value; stores accept objects only, so that other values are wrapped as the tracing clients do. */
    private static void writeNode(String member, String wrapperName, @Nullable JsonNode value, JsonGenerator json)
            throws IOException {
        if (value == null || value.isNull() || value.isMissingNode()) {
            json.writeObjectFieldStart(member);
            json.writeEndObject();
        } else if (value.isObject()) {
            json.writeObjectField(member, value);
        } else {
            json.writeObjectFieldStart(member);
            json.writeObjectField(wrapperName, value);
            json.writeEndObject();
        }
    }

    private static void writeBytes(String member, String wrapperName, byte @Nullable [] value, JsonGenerator json)
            throws IOException {
        json.writeFieldName(member);
        if (value == null) {
            json.writeRawValue("{}");
        } else if (value[0] == '{') {
            json.writeRawValue(new String(value, StandardCharsets.UTF_8));
        } else {
            json.writeStartObject();
            json.writeFieldName(wrapperName);
            json.writeRawValue(new String(value, StandardCharsets.UTF_8));
            json.writeEndObject();
        }
    }

    /** Clamps a time from the worker, whose clock can differ, to the duration of the run. */
    private static Instant within(CompletedTrace trace, Instant reported) {
        Instant end = trace.end().at();
        return reported.isAfter(end) ? end : notBefore(trace.start(), reported);
    }

    private static Instant notBefore(Instant first, Instant at) {
        return at.isBefore(first) ? first : at;
    }

    private TraceRow row(CompletedTrace trace, Members members) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = mapper.createGenerator(bytes)) {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write a trace row", e);
        }
        return new TraceRow(bytes.toByteArray(), trace.run().traceParent(), 0);
    }

    /** Writes the members of a row. */
    private interface Members {
        void write(JsonGenerator json) throws IOException;
    }

    /**
     * A run or step as sent to the trace store.
     *
     * @param traceParent trace context of its run; null without tracing
     * @param reservedBytes memory to release after the row was sent
     */
    record TraceRow(byte[] json, @Nullable String traceParent, long reservedBytes) {

        TraceRow withReservedBytes(long bytes) {
            return new TraceRow(json, traceParent, bytes);
        }
    }
}
