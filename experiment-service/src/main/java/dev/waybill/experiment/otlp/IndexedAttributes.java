package dev.waybill.experiment.otlp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Rebuilds nested values from flattened attributes: names such as {@code llm.input_messages.0.message.role} form one list of
 * messages.
 */
final class IndexedAttributes {

    private static final int MAX_DEPTH = 20;
    // Levels that only wrap the value they are named after.
    private static final Set<String> WRAPPERS = Set.of("message", "document", "tool_call", "message_content");

    private IndexedAttributes() {
    }

    /** Returns the list that the attributes with {@code prefix} describe; empty if there are none. */
    static List<@Nullable Object> read(Map<String, Object> attributes, String prefix) {
        Map<String, Object> tree = new LinkedHashMap<>();
        attributes.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                put(tree, name.substring(prefix.length()).split("\\.", MAX_DEPTH), value);
            }
        });
        return isList(tree) ? list(tree) : tree.isEmpty() ? List.of() : List.of(unwrapped(tree));
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> tree, String[] path, @Nullable Object value) {
        Map<String, Object> at = tree;
        for (int i = 0; i < path.length - 1; i++) {
            Object next = at.computeIfAbsent(path[i], ignored -> new LinkedHashMap<String, Object>());
            if (!(next instanceof LinkedHashMap)) {
                // The name conflicts with another attribute; both remain in extra.otel.
                return;
            }
            at = (Map<String, Object>) next;
        }
        at.putIfAbsent(path[path.length - 1], value);
    }

    private static @Nullable Object unwrapped(@Nullable Object node) {
        if (!(node instanceof LinkedHashMap<?, ?> level)) {
            return node;
        }
        if (isList(level)) {
            return list(level);
        }
        if (level.size() == 1 && WRAPPERS.contains(String.valueOf(level.keySet().iterator().next()))) {
            return unwrapped(level.values().iterator().next());
        }
        Map<String, Object> unwrapped = new LinkedHashMap<>();
        level.forEach((name, value) -> unwrapped.put(name.toString(), unwrapped(value)));
        return unwrapped;
    }

    private static boolean isList(Map<?, ?> level) {
        return !level.isEmpty() && level.keySet().stream().allMatch(name -> isNumber(name.toString()));
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() < 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static List<@Nullable Object> list(Map<?, ?> level) {
        Map<Integer, Object> ordered = new TreeMap<>();
        level.forEach((number, value) -> ordered.put(Integer.valueOf(number.toString()), value));
        List<@Nullable Object> list = new ArrayList<>();
        ordered.values().forEach(value -> list.add(unwrapped(value)));
        return list;
    }
}
