package dev.waybill.experiment.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import dev.waybill.common.time.Timestamps;
import dev.waybill.experiment.body.Bytes;

/** Writes a patch as JSON that {@link RunReader} can read. */
final class RunJsonWriter {

    private static final JsonFactory FACTORY = new JsonFactory();

    private RunJsonWriter() {
    }

    static Bytes write(RunFields run) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            json.writeStartObject();
            text(json, "name", run.name);
            text(json, "run_type", run.runType);
            text(json, "status", run.status);
            text(json, "error", run.error);
            time(json, "start_time", run.startTime);
            time(json, "end_time", run.endTime);
            time(json, "first_token_time", run.firstTokenTime);
            text(json, "reference_example_id", run.referenceExampleId);
            text(json, "manifest_id", run.manifestId);
            text(json, "trace_tier", run.traceTier);
            usage(json, run.ownUsage);
            if (run.tags != null) {
                json.writeArrayFieldStart("tags");
                for (String tag : run.tags) {
                    json.writeString(tag);
                }
                json.writeEndArray();
            }
            raw(json, "inputs", run.inputs);
            raw(json, "outputs", run.outputs);
            raw(json, "events", run.events);
            raw(json, "extra", run.extra);
            raw(json, "serialized", run.serialized);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Bytes(bytes.toByteArray(), 0, bytes.size());
    }

    private static void usage(JsonGenerator json, Usage usage) throws IOException {
        number(json, "prompt_tokens", usage.promptTokens());
        number(json, "completion_tokens", usage.completionTokens());
        number(json, "total_tokens", usage.totalTokens());
        number(json, "prompt_cost", usage.promptCost());
        number(json, "completion_cost", usage.completionCost());
        number(json, "total_cost", usage.totalCost());
    }

    private static void text(JsonGenerator json, String member, @Nullable Object value) throws IOException {
        if (value != null) {
            json.writeStringField(member, value.toString());
        }
    }

    private static void time(JsonGenerator json, String member, @Nullable Instant value) throws IOException {
        text(json, member, value == null ? null : Timestamps.format(value));
    }

    private static void number(JsonGenerator json, String member, @Nullable Number value) throws IOException {
        if (value != null) {
            json.writeFieldName(member);
            json.writeNumber(value instanceof BigDecimal cost ? cost.toPlainString() : value.toString());
        }
    }

    private static void raw(JsonGenerator json, String member, @Nullable Bytes value) throws IOException {
        if (value != null) {
            json.writeFieldName(member);
            json.writeRawValue(value.toString());
        }
    }
}
