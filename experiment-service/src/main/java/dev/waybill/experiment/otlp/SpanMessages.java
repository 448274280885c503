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
        List<@Nullable Object> messages = messages(MappingTarget.INPUT_MESSAGES, false);
        attributes.list(MappingTarget.SYSTEM_INSTRUCTIONS)
                .filter(instructions -> messages.stream().noneMatch(SpanMessages::isSystem))
                .ifPresent(instructions -> messages.addAll(0, MessageNormalizer.of(List.of(system(instructions)))));
        return wrap(messages).or(() -> attributes.object(MappingTarget.INPUTS, "input"));
    }

    Optional<Object> outputs() {
        List<@Nullable Object> messages = messages(MappingTarget.OUTPUT_MESSAGES, true);
        return wrap(messages.isEmpty() ? responseMessage() : messages)
                .or(() -> attributes.object(MappingTarget.OUTPUTS, "output"))
                .or(() -> attributes.list(MappingTarget.OUTPUT_DOCUMENTS)
                        .<Object> map(documents -> Map.of("documents", documents)));
    }

    private List<@Nullable Object> messages(MappingTarget target, boolean outputs) {
        return attributes.list(target)
                .map(MessageNormalizer::of)
                .orElseGet(() -> MessageNormalizer.of(fromEvents(outputs)));
    }

    // Builds the response from separate attributes for text and tool calls.
    private List<@Nullable Object> responseMessage() {
        Map<String, Object> message = new LinkedHashMap<>(Map.of("role", "assistant"));
        attributes.text(MappingTarget.OUTPUT_TEXT).ifPresent(text -> message.put("content", text));
        attributes.list(MappingTarget.OUTPUT_TOOL_CALLS)
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
}
