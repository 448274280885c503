package dev.waybill.experiment.otlp;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Reads members of runs from a span's attributes by {@link AttributeMappings}: first the span's own, then those of its
 * {@code gen_ai} events, then those of its resource. Values of an unsuitable type are ignored, because attributes come from
 * clients; they remain in {@code extra.otel}.
 */
final class SpanAttributes {

    /** Maximum token count of a run. */
    static final long MAX_COUNT = (1L << 53) - 1;
    private static final BigDecimal COST_LIMIT = BigDecimal.valueOf(1_000_000_000);

    private final Map<String, Object> attributes = new LinkedHashMap<>();

    SpanAttributes(Span span) {
        attributes.putAll(span.attributes);
        span.events.stream()
                .filter(event -> event.name.startsWith("gen_ai."))
                .forEach(event -> event.attributes.forEach(attributes::putIfAbsent));
        span.source.resource.forEach(attributes::putIfAbsent);
    }

    Optional<String> text(AttributeMappings.Target target) {
        return first(target, value -> value instanceof String text && !text.isBlank() ? text : null);
    }

    Optional<String> runType() {
        return mappings(AttributeMappings.Target.RUN_TYPE)
                .map(mapping -> Optional.ofNullable(attributes.get(mapping.attribute()))
                        .map(value -> AttributeMappings.runType(mapping.attribute(), value.toString())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    Optional<Long> count(AttributeMappings.Target target) {
        return first(target, value -> {
            BigDecimal number = number(value);
            return number == null || number.signum() < 0 || (long) number.precision() - number.scale() > 18
                    || number.compareTo(BigDecimal.valueOf(MAX_COUNT)) > 0 || number.scale() > 30
                    || number.stripTrailingZeros().scale() > 0 ? null : number.longValueExact();
        });
    }

    Optional<BigDecimal> amount(AttributeMappings.Target target) {
        return first(target, value -> {
            BigDecimal number = number(value);
            return number == null || number.signum() < 0 || number.compareTo(COST_LIMIT) >= 0 ? null : number;
        });
    }

    /** Returns all tags without duplicates. */
    List<String> tags() {
        return mappings(AttributeMappings.Target.TAGS)
                .map(mapping -> attributes.get(mapping.attribute()))
                .flatMap(value -> value instanceof String text ? Stream.of(text.split(","))
                        : value instanceof List<?> list ? list.stream().filter(String.class::isInstance).map(String.class::cast)
                                : Stream.empty())
                .map(String::strip)
                .filter(tag -> !tag.isEmpty())
                .distinct()
                .toList();
    }

    /** Returns the members for the target; the first value of each name counts. */
    Map<String, Object> members(AttributeMappings.Target target) {
        Map<String, Object> members = new LinkedHashMap<>();
        mappings(target).forEach(mapping -> {
            if (mapping.isPrefix()) {
                attributes.forEach((name, value) -> {
                    if (name.startsWith(mapping.prefix())) {
                        members.putIfAbsent(name.substring(mapping.prefix().length()), value);
                    }
                });
            } else if (attributes.get(mapping.attribute()) instanceof Object value) {
                if (mapping.name() != null) {
                    members.putIfAbsent(mapping.name(),
                            target == AttributeMappings.Target.INVOCATION_PARAMETERS ? tree(value) : value);
                } else {
                    object(value).forEach(members::putIfAbsent);
                }
            }
        });
        return members;
    }

    /** Returns the first list for the target, from indexed attributes or JSON; a single object is a list of one. */
    Optional<List<?>> list(AttributeMappings.Target target) {
        for (AttributeMappings.AttributeMapping mapping : mappings(target).toList()) {
            List<?> list = mapping.isPrefix() ? indexedList(mapping) : list(attributes.get(mapping.attribute()));
            if (list != null) {
                return Optional.of(list);
            }
        }
        return Optional.empty();
    }

    /** Returns the first value for the target if it is a JSON object, else an object with the value as {@code name}. */
    Optional<Object> object(AttributeMappings.Target target, String name) {
        return firstOf(target, (mapping, value) -> {
            Object structured = mapping.isJson() ? tree(value) : structure(value);
            Object whole = structured == null ? value : structured;
            return whole instanceof RawJson json && json.isObject() || whole instanceof Map ? whole : Map.of(name, whole);
        });
    }

    private @Nullable List<?> indexedList(AttributeMappings.AttributeMapping mapping) {
        List<@Nullable Object> list = IndexedAttributes.read(attributes, mapping.prefix());
        return list.isEmpty() ? null : list;
    }

    private static Object tree(Object value) {
        Object tree = RawJson.tree(value);
        return tree == null ? value : tree;
    }

    private static @Nullable List<?> list(@Nullable Object value) {
        Object tree = RawJson.tree(value);
        return tree instanceof Map ? List.of(tree) : tree instanceof List<?> list && !list.isEmpty() ? list : null;
    }

    private static @Nullable Object structure(@Nullable Object value) {
        return value instanceof List || value instanceof Map ? value : RawJson.of(value).orElse(null);
    }

    private static Map<String, Object> object(Object value) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> members.put(name.toString(), member));
        } else {
            RawJson.of(value).filter(RawJson::isObject).ifPresent(json -> members.putAll(json.members()));
        }
        return members;
    }

    private static @Nullable BigDecimal number(Object value) {
        try {
            return switch (value) {
                case Long number -> BigDecimal.valueOf(number);
                case Double number when Double.isFinite(number) -> BigDecimal.valueOf(number);
                case String text when text.length() <= 32 -> new BigDecimal(text.strip());
                default -> null;
            };
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private <T> Optional<T> first(AttributeMappings.Target target, Function<Object, @Nullable T> conversion) {
        return firstOf(target, (mapping, value) -> conversion.apply(value));
    }

    private <T> Optional<T> firstOf(AttributeMappings.Target target,
            BiFunction<AttributeMappings.AttributeMapping, Object, @Nullable T> conversion) {
        for (AttributeMappings.AttributeMapping mapping : mappings(target).toList()) {
            Object value = attributes.get(mapping.attribute());
            T converted = value == null ? null : conversion.apply(mapping, value);
            if (converted != null) {
                return Optional.of(converted);
            }
        }
        return Optional.empty();
    }

    private static Stream<AttributeMappings.AttributeMapping> mappings(AttributeMappings.Target target) {
        return AttributeMappings.MAPPINGS.stream().filter(mapping -> mapping.target() == target);
    }

    /**
     * Rebuilds nested values from flattened attributes: names such as {@code llm.input_messages.0.message.role} form one list
     * of messages.
     */
    static final class IndexedAttributes {

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
}
