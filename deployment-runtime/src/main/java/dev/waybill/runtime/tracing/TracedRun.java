package dev.waybill.runtime.tracing;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A run as requested.
 *
 * @param graph name of the run in the trace store
 * @param metadata metadata of the request
 * @param tags tags in the config of the request
 * @param traceParent trace context of the request; null without tracing
 * @param thread thread of the run; null for a run without one
 */
public record TracedRun(UUID id, String graph, UUID assistant, @Nullable JsonNode inputs, @Nullable ObjectNode metadata,
        @Nullable JsonNode tags, @Nullable String traceParent, @Nullable UUID thread) {

    /** Returns a copy without members that exceed the limit. */
    TracedRun limit(long maxBytes) {
        long metadataBytes = JsonMemory.of(metadata) + JsonMemory.of(tags);
        return new TracedRun(id, graph, assistant, JsonMemory.limit(maxBytes, inputs),
                metadataBytes <= maxBytes ? metadata : null,
                metadataBytes <= maxBytes ? tags : null, traceParent, thread);
    }

    /** Returns a copy with ids only. */
    TracedRun withoutContent() {
        return new TracedRun(id, graph, assistant, inputs == null ? null : JsonMemory.omitted(JsonMemory.of(inputs)), null,
                null,
                traceParent, thread);
    }

    long size() {
        return JsonMemory.of(inputs) + JsonMemory.of(metadata) + JsonMemory.of(tags);
    }
}
