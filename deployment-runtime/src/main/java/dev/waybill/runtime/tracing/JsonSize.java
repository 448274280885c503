package dev.waybill.runtime.tracing;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** About how much memory a JSON tree takes, and rather more than its text: found without writing it. */
final class JsonSize {

    private static final int NODE = 40;

    private JsonSize() {
    }

    /** The tree, or when it is larger than that, one that stands for it. */
    static @Nullable JsonNode upTo(long most, @Nullable JsonNode node) {
        long size = of(node);
        return size <= most ? node : omitted(size);
    }

    /** What stands for something that is too large to be kept. */
    static ObjectNode omitted(long bytes) {
        return JsonNodeFactory.instance.objectNode().put("omitted_bytes", bytes);
    }

    static long of(@Nullable JsonNode node) {
        if (node == null) {
            return 0;
        }
        if (node.isTextual()) {
            return NODE + node.textValue().length();
        }
        if (node.isNumber()) {
            // Some have a thousand digits.
            return node.isBigDecimal() || node.isBigInteger() ? NODE + node.asText().length() : NODE;
        }
        long size = NODE;
        for (JsonNode child : node) {
            size += of(child);
        }
        if (node.isObject()) {
            for (var member : node.properties()) {
                size += NODE + member.getKey().length();
            }
        }
        return size;
    }
}
