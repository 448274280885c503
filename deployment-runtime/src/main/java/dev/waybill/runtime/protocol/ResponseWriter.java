package dev.waybill.runtime.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;

import dev.waybill.runtime.protocol.CheckpointTuple.ChannelBlob;
import dev.waybill.runtime.protocol.CheckpointTuple.TaskWrite;
import dev.waybill.runtime.protocol.StoreOperation.Item;
import dev.waybill.runtime.protocol.StoreOperation.Outcome;

/** Writes responses to the requests of a worker, as lines including the line feed. */
public final class ResponseWriter {

    private static final JsonFactory FACTORY = new JsonFactory();

    private final Set<String> textTypes;

    /** Writes a value at the position of the generator. */
    private interface ResultWriter {
        void write(JsonGenerator json) throws IOException;
    }

    /** @param textTypes types whose values are written as text, all others in base64 */
    public ResponseWriter(Set<String> textTypes) {
        this.textTypes = Set.copyOf(textTypes);
    }

    /** Returns the response to a write. */
    public byte[] done(long id) {
        return line(id, json -> {
            json.writeStartObject();
            json.writeEndObject();
        });
    }

    /** Returns the response with a checkpoint, or with null if there is none. */
    public byte[] checkpoint(long id, @Nullable CheckpointTuple tuple) {
        return line(id, json -> {
            if (tuple == null) {
                json.writeNull();
            } else {
                write(json, tuple);
            }
        });
    }

    /** Returns the JSON of a checkpoint. */
    public String json(CheckpointTuple tuple) {
        try (ByteArrayBuilder text = new ByteArrayBuilder()) {
            try (JsonGenerator json = FACTORY.createGenerator(text)) {
                write(json, tuple);
            }
            return new String(text.toByteArray(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("an array can always be written", e);
        }
    }

    /** Returns the response with a page of checkpoints. */
    public byte[] page(long id, CheckpointTuple.Page page) {
        return line(id, json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("tuples");
            for (CheckpointTuple tuple : page.tuples()) {
                write(json, tuple);
            }
            json.writeEndArray();
            writeBlobs(json, page.blobs());
            json.writeStringField("next", text(page.next()));
            json.writeEndObject();
        });
    }

    /** Returns the response with bytes of a value. */
    public byte[] bytes(long id, byte[] bytes) {
        return line(id, json -> {
            json.writeStartObject();
            json.writeObjectFieldStart("value");
            json.writeBinaryField("base64", bytes);
            json.writeEndObject();
            json.writeEndObject();
        });
    }

    /** Returns the response with the results of operations on the store. */
    public byte[] outcomes(long id, List<Outcome> outcomes) {
        return line(id, json -> {
            json.writeStartArray();
            for (Outcome outcome : outcomes) {
                write(json, outcome);
            }
            json.writeEndArray();
        });
    }

    /** Returns the response to a request that failed. */
    public static byte[] failure(long id, RequestException failure) {
        return message(id, json -> {
            json.writeObjectFieldStart("error");
            json.writeNumberField("code", failure.code().number());
            json.writeStringField("message", failure.getMessage());
            String error = failure.code().error();
            if (error != null) {
                json.writeObjectFieldStart("data");
                json.writeStringField("error", error);
                Duration retryAfter = failure.retryAfter();
                if (retryAfter != null) {
                    json.writeNumberField("retry_after_ms", retryAfter.toMillis());
                }
                json.writeEndObject();
            }
            json.writeEndObject();
        });
    }

    private void write(JsonGenerator json, CheckpointTuple tuple) throws IOException {
        json.writeStartObject();
        json.writeStringField("ns", tuple.namespace());
        json.writeStringField("id", tuple.id().toString());
        json.writeStringField("parent_id", text(tuple.parent()));
        json.writeArrayFieldStart("checkpoint");
        write(json, tuple.checkpoint());
        json.writeEndArray();
        json.writeFieldName("metadata");
        json.writeRawValue(new String(tuple.metadata(), StandardCharsets.UTF_8));
        json.writeObjectFieldStart("versions");
        for (Map.Entry<String, String> version : tuple.versions().entrySet()) {
            json.writeStringField(version.getKey(), version.getValue());
        }
        json.writeEndObject();
        writeBlobs(json, tuple.blobs());
        json.writeArrayFieldStart("writes");
        for (TaskWrite write : tuple.writes()) {
            json.writeStartArray();
            json.writeString(write.task());
            json.writeNumber(write.index());
            json.writeString(write.channel());
            write(json, write.value());
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeBlobs(JsonGenerator json, List<ChannelBlob> blobs) throws IOException {
        json.writeArrayFieldStart("blobs");
        for (ChannelBlob blob : blobs) {
            json.writeStartArray();
            json.writeString(blob.channel());
            json.writeString(blob.version());
            write(json, blob.value());
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    private void write(JsonGenerator json, SerializedValue value) throws IOException {
        json.writeString(value.type());
        byte[] bytes = value.bytes();
        if (bytes != null && textTypes.contains(value.type())) {
            json.writeUTF8String(bytes, 0, bytes.length);
        } else if (bytes != null) {
            json.writeStartObject();
            json.writeBinaryField("base64", bytes);
            json.writeEndObject();
        } else if (value.reference() != null) {
            writeReference(json, value);
        } else {
            json.writeNull();
        }
    }

    private static void writeReference(JsonGenerator json, SerializedValue value) throws IOException {
        json.writeStartObject();
        json.writeStringField("ref", value.reference());
        json.writeNumberField("size", value.size());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Outcome outcome) throws IOException {
        switch (outcome) {
            case Outcome.None ignored -> json.writeNull();
            case Outcome.Found found -> write(json, found.item());
            case Outcome.Items items -> {
                json.writeStartArray();
                for (Item item : items.items()) {
                    write(json, item);
                }
                json.writeEndArray();
            }
            case Outcome.Labels labels -> {
                json.writeStartArray();
                for (List<String> namespace : labels.namespaces()) {
                    write(json, namespace);
                }
                json.writeEndArray();
            }
        }
    }

    private static void write(JsonGenerator json, Item item) throws IOException {
        json.writeStartObject();
        json.writeFieldName("ns");
        write(json, item.namespace());
        json.writeStringField("key", item.key());
        byte[] value = item.value().bytes();
        if (value == null) {
            json.writeFieldName("value_ref");
            writeReference(json, item.value());
        } else {
            json.writeFieldName("value");
            json.writeRawValue(new String(value, StandardCharsets.UTF_8));
        }
        json.writeStringField("created_at", item.createdAt().toString());
        json.writeStringField("updated_at", item.updatedAt().toString());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, List<String> labels) throws IOException {
        json.writeStartArray();
        for (String label : labels) {
            json.writeString(label);
        }
        json.writeEndArray();
    }

    private static @Nullable String text(@Nullable UUID id) {
        return id == null ? null : id.toString();
    }

    private static byte[] line(long id, ResultWriter result) {
        return message(id, json -> {
            json.writeFieldName("result");
            result.write(json);
        });
    }

    private static byte[] message(long id, ResultWriter member) {
        try (ByteArrayBuilder line = new ByteArrayBuilder()) {
            try (JsonGenerator json = FACTORY.createGenerator(line)) {
                json.writeStartObject();
                json.writeStringField("jsonrpc", "2.0");
                json.writeNumberField("id", id);
                member.write(json);
                json.writeEndObject();
            }
            line.append('\n');
            return line.toByteArray();
        } catch (IOException e) {
            throw new IllegalStateException("an array can always be written", e);
        }
    }
}
