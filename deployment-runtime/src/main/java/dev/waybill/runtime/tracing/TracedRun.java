package dev.waybill.runtime.tracing;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A run as it was asked for.
 *
 * @param graph what it is called in the trace store
 * @param metadata the caller's own
 * @param tags of the caller's config
 * @param traceParent where it is in the trace of its request; null where nobody collects them
 */
public record TracedRun(UUID id, String graph, UUID assistant, @Nullable JsonNode inputs, @Nullable ObjectNode metadata,
        @Nullable JsonNode tags, @Nullable String traceParent) {

    /** Without what is larger than that. */
    TracedRun upTo(long most) {
        long ofMetadata = JsonSize.of(metadata) + JsonSize.of(tags);
        return new TracedRun(id, graph, assistant, JsonSize.upTo(most, inputs), ofMetadata <= most ? metadata : null,
                ofMetadata <= most ? tags : null, traceParent);
    }

    /** Only which run it is. */
    TracedRun withoutContent() {
        return new TracedRun(id, graph, assistant, inputs == null ? null : JsonSize.omitted(JsonSize.of(inputs)), null, null,
                traceParent);
    }

    long size() {
        return JsonSize.of(inputs) + JsonSize.of(metadata) + JsonSize.of(tags);
    }
}
