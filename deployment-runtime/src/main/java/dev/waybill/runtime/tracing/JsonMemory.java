package dev.waybill.runtime.tracing;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Estimates the memory of a JSON tree without writing it; an upper bound of the size of its text in most cases. */
final class JsonMemory {

    private static final int NODE_BYTES = 40;

    private JsonMemory() {
    }

    /** Returns the tree, or a placeholder if it is larger than the limit. */
    static @Nullable JsonNode limit(long maxBytes, @Nullable JsonNode node) {
        long size = of(node);
        return size <= maxBytes ? node : omitted(size);
    }

    /** Returns the placeholder of a tree that is too large. */
    static ObjectNode omitted(long bytes) {
        return JsonNodeFactory.instance.objectNode().put("omitted_bytes", bytes);
    }

    static long of(@Nullable JsonNode node) {
        if (node == null) {
            return 0;
        }
        if (node.isTextual()) {
            return NODE_BYTES + node.textValue().length();
        }
        if (node.isNumber()) {
            // Can have up to a thousand digits.
            return node.isBigDecimal() || node.isBigInteger() ? NODE_BYTES + node.asText().length() : NODE_BYTES;
        }
        long size = NODE_BYTES;
        for (JsonNode child : node) {
            size += of(child);
        }
        if (node.isObject()) {
            for (var member : node.properties()) {
                size += NODE_BYTES + member.getKey().length();
            }
        }
        return size;
    }
}
