package dev.waybill.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A batch of runs as tracing clients send it: a part per run and another one per large field, so that the service need not
 * parse the large fields.
 */
public final class RunsMultipart {

    private static final Set<String> LARGE = Set.of("inputs", "outputs", "events", "extra", "error", "serialized");

    private final Multipart parts = new Multipart();
    private int runs;

    /** Adds a new run, usually one that has ended. */
    public RunsMultipart post(JsonNode run) {
        return add("post.", run);
    }

    /** Adds changes of a run that was sent before. */
    public RunsMultipart patch(JsonNode run) {
        return add("patch.", run);
    }

    private RunsMultipart add(String prefix, JsonNode run) {
        String name = prefix + run.required("id").textValue();
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
        return parts.size();
    }

    Multipart parts() {
        return parts;
    }

    private void part(String name, JsonNode value) {
        parts.part(name, "application/json", WireJson.write(value).getBytes(StandardCharsets.UTF_8));
    }
}
