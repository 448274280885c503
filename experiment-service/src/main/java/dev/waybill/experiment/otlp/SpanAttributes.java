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
 * What a span's attributes say by {@link AttributeMappings}: the span's own first, then those of its {@code gen_ai} events, then
 * those
 * of what it came from. A value that cannot be what the member must be says nothing: attributes are the sender's, and kept as
 * they
 * are.
 */
final class SpanAttributes {

    /** The largest count that a run can have. */
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
        return rules(MappingTarget.RUN_TYPE)
                .map(rule -> Optional.ofNullable(attributes.get(rule.attribute()))
                        .map(value -> AttributeMappings.runType(rule.attribute(), value.toString())))
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

    /** All that its rows name, once each. */
    List<String> tags() {
        return rules(MappingTarget.TAGS)
                .map(rule -> attributes.get(rule.attribute()))
                .flatMap(value -> value instanceof String text ? Stream.of(text.split(","))
                        : value instanceof List<?> list ? list.stream().filter(String.class::isInstance).map(String.class::cast)
                                : Stream.empty())
                .map(String::strip)
                .filter(tag -> !tag.isEmpty())
                .distinct()
                .toList();
    }

    /** The members that rows of this target name, the first of each name. */
    Map<String, Object> members(MappingTarget target) {
        Map<String, Object> members = new LinkedHashMap<>();
        rules(target).forEach(rule -> {
            if (rule.isFamily()) {
                attributes.forEach((name, value) -> {
                    if (name.startsWith(rule.prefix())) {
                        members.putIfAbsent(name.substring(rule.prefix().length()), value);
                    }
                });
            } else if (attributes.get(rule.attribute()) instanceof Object value) {
                if (rule.name() != null) {
                    members.putIfAbsent(rule.name(), target == MappingTarget.INVOCATION_PARAMETERS ? tree(value) : value);
                } else {
                    object(value).forEach(members::putIfAbsent);
                }
            }
        });
        return members;
    }

    /** Returns the first list that rows of this target describe, by number or as JSON; one object is a list of one. */
    Optional<List<?>> list(MappingTarget target) {
        for (AttributeMapping rule : rules(target).toList()) {
            List<?> list = rule.isFamily() ? gathered(rule) : list(attributes.get(rule.attribute()));
            if (list != null) {
                return Optional.of(list);
            }
        }
        return Optional.empty();
    }

    /** Returns the first value for this target as the JSON object it is, or within one under {@code name}. */
    Optional<Object> object(MappingTarget target, String name) {
        return firstOf(target, (rule, value) -> {
            Object structured = rule.isJson() ? tree(value) : structure(value);
            Object whole = structured == null ? value : structured;
            return whole instanceof RawJson json && json.isObject() || whole instanceof Map ? whole : Map.of(name, whole);
        });
    }

    private @Nullable List<?> gathered(AttributeMapping rule) {
        List<@Nullable Object> list = IndexedAttributes.gather(attributes, rule.prefix());
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

    private <T> Optional<T> first(MappingTarget target, Function<Object, @Nullable T> meaning) {
        return firstOf(target, (rule, value) -> meaning.apply(value));
    }

    private <T> Optional<T> firstOf(MappingTarget target, BiFunction<AttributeMapping, Object, @Nullable T> meaning) {
        for (AttributeMapping rule : rules(target).toList()) {
            Object value = attributes.get(rule.attribute());
            T meant = value == null ? null : meaning.apply(rule, value);
            if (meant != null) {
                return Optional.of(meant);
            }
        }
        return Optional.empty();
    }

    private static Stream<AttributeMapping> rules(MappingTarget target) {
        return AttributeMappings.RULES.stream().filter(rule -> rule.target() == target);
    }
}
