package dev.waybill.experiment.otlp;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    Optional<String> text(MappingTarget target) {
        return first(target, value -> value instanceof String text && !text.isBlank() ? text : null);
    }

    Optional<String> runType() {
        return mappings(MappingTarget.RUN_TYPE)
                .map(mapping -> Optional.ofNullable(attributes.get(mapping.attribute()))
                        .map(value -> AttributeMappings.runType(mapping.attribute(), value.toString())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    Optional<Long> count(MappingTarget target) {
        return first(target, value -> {
            BigDecimal number = number(value);
            return number == null || number.signum() < 0 || (long) number.precision() - number.scale() > 18
                    || number.compareTo(BigDecimal.valueOf(MAX_COUNT)) > 0 || number.scale() > 30
                    || number.stripTrailingZeros().scale() > 0 ? null : number.longValueExact();
        });
    }

    Optional<BigDecimal> amount(MappingTarget target) {
        return first(target, value -> {
            BigDecimal number = number(value);
            return number == null || number.signum() < 0 || number.compareTo(COST_LIMIT) >= 0 ? null : number;
        });
    }

    /** Returns all tags without duplicates. */
    List<String> tags() {
        return mappings(MappingTarget.TAGS)
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
    Map<String, Object> members(MappingTarget target) {
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
                    members.putIfAbsent(mapping.name(), target == MappingTarget.INVOCATION_PARAMETERS ? tree(value) : value);
                } else {
                    object(value).forEach(members::putIfAbsent);
                }
            }
        });
        return members;
    }

    /** Returns the first list for the target, from indexed attributes or JSON; a single object is a list of one. */
    Optional<List<?>> list(MappingTarget target) {
        for (AttributeMapping mapping : mappings(target).toList()) {
            List<?> list = mapping.isPrefix() ? indexedList(mapping) : list(attributes.get(mapping.attribute()));
            if (list != null) {
                return Optional.of(list);
            }
        }
        return Optional.empty();
    }

    /** Returns the first value for the target if it is a JSON object, else an object with the value as {@code name}. */
    Optional<Object> object(MappingTarget target, String name) {
        return firstOf(target, (mapping, value) -> {
            Object structured = mapping.isJson() ? tree(value) : structure(value);
            Object whole = structured == null ? value : structured;
            return whole instanceof RawJson json && json.isObject() || whole instanceof Map ? whole : Map.of(name, whole);
        });
    }

    private @Nullable List<?> indexedList(AttributeMapping mapping) {
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

    private <T> Optional<T> first(MappingTarget target, Function<Object, @Nullable T> conversion) {
        return firstOf(target, (mapping, value) -> conversion.apply(value));
    }

    private <T> Optional<T> firstOf(MappingTarget target, BiFunction<AttributeMapping, Object, @Nullable T> conversion) {
        for (AttributeMapping mapping : mappings(target).toList()) {
            Object value = attributes.get(mapping.attribute());
            T converted = value == null ? null : conversion.apply(mapping, value);
            if (converted != null) {
                return Optional.of(converted);
            }
        }
        return Optional.empty();
    }

    private static Stream<AttributeMapping> mappings(MappingTarget target) {
        return AttributeMappings.MAPPINGS.stream().filter(mapping -> mapping.target() == target);
    }
}
