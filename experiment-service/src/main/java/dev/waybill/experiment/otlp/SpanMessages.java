package dev.waybill.experiment.otlp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** Reads inputs and outputs of a span: messages from its attributes or events if there are any, else other values. */
final class SpanMessages {

    private final Span span;
    private final SpanAttributes attributes;

    SpanMessages(Span span, SpanAttributes attributes) {
        this.span = span;
        this.attributes = attributes;
    }

    Optional<Object> inputs() {
        List<@Nullable Object> messages = messages(AttributeMappings.Target.INPUT_MESSAGES, false);
        attributes.list(AttributeMappings.Target.SYSTEM_INSTRUCTIONS)
                .filter(instructions -> messages.stream().noneMatch(SpanMessages::isSystem))
                .ifPresent(instructions -> messages.addAll(0, MessageNormalizer.of(List.of(system(instructions)))));
        return wrap(messages).or(() -> attributes.object(AttributeMappings.Target.INPUTS, "input"));
    }

    Optional<Object> outputs() {
        List<@Nullable Object> messages = messages(AttributeMappings.Target.OUTPUT_MESSAGES, true);
        return wrap(messages.isEmpty() ? responseMessage() : messages)
                .or(() -> attributes.object(AttributeMappings.Target.OUTPUTS, "output"))
                .or(() -> attributes.list(AttributeMappings.Target.OUTPUT_DOCUMENTS)
                        .<Object> map(documents -> Map.of("documents", documents)));
    }

    private List<@Nullable Object> messages(AttributeMappings.Target target, boolean outputs) {
        return attributes.list(target)
                .map(MessageNormalizer::of)
                .orElseGet(() -> MessageNormalizer.of(fromEvents(outputs)));
    }

    // Builds the response from separate attributes for text and tool calls.
    private List<@Nullable Object> responseMessage() {
        Map<String, Object> message = new LinkedHashMap<>(Map.of("role", "assistant"));
        attributes.text(AttributeMappings.Target.OUTPUT_TEXT).ifPresent(text -> message.put("content", text));
        attributes.list(AttributeMappings.Target.OUTPUT_TOOL_CALLS)
                .ifPresent(calls -> message.put("tool_calls", MessageNormalizer.toolCalls(calls)));
        return message.size() == 1 ? List.of() : List.of(message);
    }

    private List<Object> fromEvents(boolean outputs) {
        List<Object> messages = new ArrayList<>();
        for (Span.Event event : span.events) {
            String role = AttributeMappings.MESSAGE_EVENTS.get(event.name);
            if (role != null && outputs == event.name.equals(AttributeMappings.CHOICE_EVENT)) {
                messages.add(fromEvent(event, role));
            }
        }
        return messages;
    }

    private static Map<Object, Object> fromEvent(Span.Event event, String role) {
        Map<Object, Object> message = new LinkedHashMap<>(Map.of("role", role));
        event.attributes.forEach((name, value) -> {
            Object structure = RawJson.tree(value);
            if (List.of("gen_ai.event.content", "message").contains(name) && structure instanceof Map<?, ?> members) {
                message.putAll(members);
            } else if (!name.startsWith("gen_ai.")) {
                message.put(name, name.equals("tool_calls") ? structure : value);
            }
        });
        if (message.remove("message") instanceof Map<?, ?> inner) {
            message.putAll(inner);
        }
        if (role.equals("tool") && message.remove("id") instanceof Object id) {
            message.put("tool_call_id", id);
        }
        return message;
    }

    private static Map<String, Object> system(List<?> instructions) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("role", "system");
        message.put("content", instructions);
        return message;
    }

    private static boolean isSystem(@Nullable Object message) {
        return message instanceof Map<?, ?> members && "system".equals(members.get("role"));
    }

    private static Optional<Object> wrap(List<@Nullable Object> messages) {
        return messages.isEmpty() ? Optional.empty() : Optional.of(Map.of("messages", messages));
    }

    /**
     * Converts the messages of all conventions to those of chat completions: {@code role}, {@code content}, {@code tool_calls}
     * with {@code function.name} and {@code function.arguments}, and {@code tool_call_id}. Unknown members stay unchanged.
     */
    static final class MessageNormalizer {

        private MessageNormalizer() {
        }

        /** Converts messages; a message with several tool results becomes several messages. */
        static List<@Nullable Object> of(List<?> messages) {
            List<@Nullable Object> normalized = new ArrayList<>();
            for (Object message : messages) {
                if (message instanceof Map<?, ?> members) {
                    add(normalized, new LinkedHashMap<>(members));
                } else {
                    normalized.add(message);
                }
            }
            return normalized;
        }

        /** Converts tool calls. */
        static List<@Nullable Object> toolCalls(List<?> calls) {
            List<@Nullable Object> normalized = new ArrayList<>();
            calls.forEach(call -> normalized.add(call instanceof Map<?, ?> members ? toolCall(members) : call));
            return normalized;
        }

        private static void add(List<@Nullable Object> normalized, Map<Object, @Nullable Object> message) {
            Object parts = first(message, "parts", "contents");
            if (parts instanceof List<?>) {
                message.remove("parts");
                message.remove("contents");
                message.putIfAbsent("content", parts);
            }
            List<@Nullable Object> results = new ArrayList<>();
            List<@Nullable Object> calls = new ArrayList<>();
            if (message.get("tool_calls") instanceof List<?> known) {
                calls.addAll(toolCalls(known));
            }
            if (message.get("content") instanceof List<?> content) {
                List<@Nullable Object> others = extractToolParts(content, calls, results);
                message.put("content", others.isEmpty() && content.size() > 0 ? null : textOr(others));
            }
            if (!calls.isEmpty()) {
                message.put("tool_calls", calls);
            }
            if (results.isEmpty() || !calls.isEmpty() || message.get("content") != null) {
                normalized.add(message);
            }
            normalized.addAll(results);
        }

        // Moves tool calls and results out of the content and returns the rest.
        private static List<@Nullable Object> extractToolParts(List<?> content, List<@Nullable Object> calls,
                List<@Nullable Object> results) {
            List<@Nullable Object> others = new ArrayList<>();
            for (Object part : content) {
                Map<?, ?> members = part instanceof Map<?, ?> map ? map : Map.of();
                switch (String.valueOf(members.get("type"))) {
                    case "tool_call", "tool-call" -> calls.add(toolCall(members));
                    case "tool_call_response", "tool-result" -> results.add(toolResult(members));
                    default -> others.add(part);
                }
            }
            return others;
        }

        private static Object textOr(List<@Nullable Object> parts) {
            return parts.size() == 1 && parts.getFirst() instanceof Map<?, ?> part && "text".equals(part.get("type"))
                    && first(part, "text", "content") instanceof String text ? text : parts;
        }

        private static Map<Object, @Nullable Object> toolCall(Map<?, ?> call) {
            if (call.get("function") instanceof Map<?, ?>) {
                Map<Object, @Nullable Object> normalized = new LinkedHashMap<>(call);
                normalized.putIfAbsent("type", "function");
                return normalized;
            }
            Map<Object, @Nullable Object> function = new LinkedHashMap<>();
            function.put("name", first(call, "name", "toolName"));
            function.put("arguments", text(first(call, "arguments", "input", "args")));
            Map<Object, @Nullable Object> normalized = new LinkedHashMap<>();
            Object id = first(call, "id", "toolCallId");
            if (id != null) {
                normalized.put("id", id);
            }
            normalized.put("type", "function");
            normalized.put("function", function);
            return normalized;
        }

        private static Map<Object, @Nullable Object> toolResult(Map<?, ?> part) {
            Object result = first(part, "response", "result", "output");
            Map<Object, @Nullable Object> normalized = new LinkedHashMap<>();
            normalized.put("role", "tool");
            normalized.put("tool_call_id", first(part, "id", "toolCallId"));
            normalized.put("content",
                    text(result instanceof Map<?, ?> typed && typed.containsKey("value") ? typed.get("value") : result));
            return normalized;
        }

        private static @Nullable Object text(@Nullable Object value) {
            return value == null || value instanceof String ? value : RawJson.write(value).toString();
        }

        private static @Nullable Object first(Map<?, ?> map, String... names) {
            for (String name : names) {
                if (map.get(name) instanceof Object value) {
                    return value;
                }
            }
            return null;
        }
    }
}
