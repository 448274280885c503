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

/** Writes traces as trace stores read them (contract.md "Trace intake"): a run is the root, its steps are below it. */
final class RowWriter {

    private static final int LONGEST_ERROR = 16_000;

    // Escapes, so that halves of characters, which JSON may hold, do not make the whole unwritable.
    private final ObjectMapper mapper = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private final String project;
    private final String version;

    RowWriter(String project, String version) {
        this.project = project;
        this.version = version;
    }

    /** The run first; the last has all the memory of the trace. */
    List<Row> rows(EndedTrace trace) {
        List<Row> rows = new ArrayList<>();
        Map<UUID, String> places = new HashMap<>();
        String root = Timestamps.compact(trace.start()) + trace.run().id();
        rows.add(row(trace, json -> writeRun(trace, root, json)));
        for (TracedStep step : trace.steps()) {
            TracedStep parent = step.parent;
            String above = parent == null ? root : Objects.requireNonNullElse(places.get(parent.id), root);
            String place = above + "." + Timestamps.compact(within(trace, step.start)) + step.id;
            places.put(step.id, place);
            rows.add(row(trace, json -> writeStep(trace, step, place, json)));
        }
        rows.set(rows.size() - 1, rows.getLast().holding(trace.held()));
        return rows;
    }

    private void writeRun(EndedTrace trace, String place, JsonGenerator json) throws IOException {
        RunTrace.End end = trace.end();
        json.writeStringField("id", trace.run().id().toString());
        writePlace(trace, place, json);
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
        json.writeEndObject();
        json.writeObjectFieldStart("runtime");
        json.writeStringField("library", "waybill");
        json.writeStringField("library_version", version);
        json.writeEndObject();
        json.writeEndObject();
    }

    private void writeStep(EndedTrace trace, TracedStep step, String place, JsonGenerator json) throws IOException {
        RunTrace.End end = trace.end();
        // What was still going on when the run failed has failed with it; when it went through, its end was not told.
        boolean broken = step.end == null && end.error() != null;
        Instant start = within(trace, step.start);
        json.writeStringField("id", step.id.toString());
        writePlace(trace, place, json);
        TracedStep parent = step.parent;
        json.writeStringField("parent_run_id", (parent == null ? trace.run().id() : parent.id).toString());
        json.writeStringField("name", step.name);
        json.writeStringField("run_type", step.runType);
        Instant ended = broken ? end.at() : step.end;
        writeTimes(start, ended == null ? null : notBefore(start, within(trace, ended)), json);
        writeError(step.error == null && broken ? end.error() : step.error, json);
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

    private void writePlace(EndedTrace trace, String place, JsonGenerator json) throws IOException {
        json.writeStringField("trace_id", trace.run().id().toString());
        json.writeStringField("dotted_order", place);
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
            json.writeStringField("error", error.length() <= LONGEST_ERROR ? error : error.substring(0, LONGEST_ERROR));
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

    /** Stores take objects only; anything else is put into one, as their clients do. */
    private static void writeNode(String member, String wrapped, @Nullable JsonNode value, JsonGenerator json)
            throws IOException {
        if (value == null || value.isNull() || value.isMissingNode()) {
            json.writeObjectFieldStart(member);
            json.writeEndObject();
        } else if (value.isObject()) {
            json.writeObjectField(member, value);
        } else {
            json.writeObjectFieldStart(member);
            json.writeObjectField(wrapped, value);
            json.writeEndObject();
        }
    }

    private static void writeBytes(String member, String wrapped, byte @Nullable [] value, JsonGenerator json)
            throws IOException {
        json.writeFieldName(member);
        if (value == null) {
            json.writeRawValue("{}");
        } else if (value[0] == '{') {
            json.writeRawValue(new String(value, StandardCharsets.UTF_8));
        } else {
            json.writeStartObject();
            json.writeFieldName(wrapped);
            json.writeRawValue(new String(value, StandardCharsets.UTF_8));
            json.writeEndObject();
        }
    }

    /** A worker's clock is its own; what it tells happened while the run was under way. */
    private static Instant within(EndedTrace trace, Instant told) {
        Instant end = trace.end().at();
        return told.isAfter(end) ? end : notBefore(trace.start(), told);
    }

    private static Instant notBefore(Instant first, Instant at) {
        return at.isBefore(first) ? first : at;
    }

    private Row row(EndedTrace trace, Members members) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = mapper.createGenerator(bytes)) {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a run cannot be written", e);
        }
        return new Row(bytes.toByteArray(), trace.run().traceParent(), 0);
    }

    /** Writes the members of a row. */
    private interface Members {
        void write(JsonGenerator json) throws IOException;
    }
}
