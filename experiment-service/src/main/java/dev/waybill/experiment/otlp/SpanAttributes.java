package dev.waybill.experiment.otlp;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What a span's attributes say by {@link AttributeTable}: the span's own first, then those of its {@code gen_ai} events, then
 * those
 * of what it came from. A value that cannot be what the member must be says nothing: attributes are the sender's, and kept as
 * they
 * are.
 */
final class SpanAttributes {

    private static final BigDecimal COST_LIMIT = BigDecimal.valueOf(1_000_000_000);

    private final Map<String, Object> attributes = new LinkedHashMap<>();

    SpanAttributes(Span span) {
        attributes.putAll(span.attributes);
        span.events.stream()
                .filter(event -> event.name.startsWith("gen_ai."))
                .forEach(event -> event.attributes.forEach(attributes::putIfAbsent));
        span.source.resource.forEach(attributes::putIfAbsent);
    }

    Optional<String> text(Target target) {
        return first(target, value -> value instanceof String text && !text.isBlank() ? text : null);
    }

    Optional<String> runType() {
        return rules(Target.RUN_TYPE)
                .map(rule -> Optional.ofNullable(attributes.get(rule.attribute()))
                        .map(value -> AttributeTable.runType(rule.attribute(), value.toString())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    Optional<Long> count(Target target) {
        return first(target, value -> {
            BigDecimal number = number(value);
            return number == null || number.signum() < 0 || (long) number.precision() - number.scale() > 18
                    || number.scale() > 30 || number.stripTrailingZeros().scale() > 0 ? null : number.longValueExact();
        });
    }

    Optional<BigDecimal> amount(Target target) {
        return first(target, value -> {
            BigDecimal number = number(value);
            return number == null || number.signum() < 0 || number.compareTo(COST_LIMIT) >= 0 ? null : number;
        });
    }

    /** All that its rows name, once each. */
    List<String> tags() {
        return rules(Target.TAGS)
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
    Map<String, Object> members(Target target) {
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
                    members.putIfAbsent(rule.name(), value);
                } else {
                    object(value).forEach(members::putIfAbsent);
                }
            }
        });
        return members;
    }

    /** The first list that rows of this target describe, by number or as JSON. */
    Optional<Object> list(Target target) {
        return rules(target)
                .map(rule -> rule.isFamily() ? gathered(rule) : structure(attributes.get(rule.attribute())))
                .flatMap(Stream::ofNullable)
                .findFirst();
    }

    /** The first value for this target as the JSON object it is, or within one under {@code name}. */
    Optional<Object> object(Target target, String name) {
        return first(target, value -> {
            Object structured = structure(value);
            Object whole = structured == null ? value : structured;
            return whole instanceof JsonText json && json.isObject() || whole instanceof Map ? whole : Map.of(name, whole);
        });
    }

    private @Nullable Object gathered(AttributeRule rule) {
        List<@Nullable Object> list = IndexedAttributes.gather(attributes, rule.prefix());
        return list.isEmpty() ? null : list;
    }

    private static @Nullable Object structure(@Nullable Object value) {
        return value instanceof List || value instanceof Map ? value : JsonText.of(value).orElse(null);
    }

    private static Map<String, Object> object(Object value) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> members.put(name.toString(), member));
        } else {
            JsonText.of(value).filter(JsonText::isObject).ifPresent(json -> members.putAll(json.members()));
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

    private <T> Optional<T> first(Target target, Function<Object, @Nullable T> meaning) {
        return rules(target)
                .map(rule -> attributes.get(rule.attribute()))
                .filter(Objects::nonNull)
                .map(meaning)
                .flatMap(Stream::ofNullable)
                .findFirst();
    }

    private static Stream<AttributeRule> rules(Target target) {
        return AttributeTable.RULES.stream().filter(rule -> rule.target() == target);
    }
}
