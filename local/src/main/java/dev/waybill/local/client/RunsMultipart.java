package dev.waybill.local.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A batch of runs as multipart body, as tracing clients send it: a part per run and another one per large field, so that the
 * service need not parse the large fields.
 */
public final class RunsMultipart {

    private static final Set<String> LARGE = Set.of("inputs", "outputs", "events", "extra", "error", "serialized");

    private final String boundary = "waybill-" + UUID.randomUUID();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int runs;

    /** Adds a run that has ended. */
    public RunsMultipart post(JsonNode run) {
        String name = "post." + run.required("id").textValue();
        ObjectNode small = run.deepCopy();
        small.remove(List.copyOf(LARGE));
        part(name, small);
        for (String field : LARGE) {
            JsonNode value = run.get(field);
            if (value != null && !value.isNull()) {
                part(name + "." + field, value);
            }
        }
        runs++;
        return this;
    }

    public int runs() {
        return runs;
    }

    /** Returns the uncompressed size, to which the intake's limit applies. */
    public int size() {
        return body.size();
    }

    String contentType() {
        return "multipart/form-data; boundary=" + boundary;
    }

    byte[] toGzip() {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            body.writeTo(gzip);
            gzip.write(("--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    private void part(String name, JsonNode value) {
        byte[] content = Json.bytes(value);
        String head = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name
                + "\"\r\nContent-Type: application/json; length=" + content.length + "\r\n\r\n";
        body.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        body.writeBytes(content);
        body.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
    }
}
