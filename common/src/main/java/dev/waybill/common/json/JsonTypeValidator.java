package dev.waybill.common.json;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.api.RejectUnknownMembers;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.problem.Violations;
import dev.waybill.common.time.Timestamps;

/**
 * Compares a JSON document with the record it is bound to and removes every member of a wrong type, so that the rest can be
 * bound and all violations are reported together. Databind alone stops at the first violation.
 */
final class JsonTypeValidator {

    private static final Pattern UUID_TEXT = Pattern
            .compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    // Bounds the size of the response to a long list of invalid elements.
    private static final int MAX_VIOLATIONS = 1_000;

    // Reflection creates these objects on each call, which would dominate the cost of reading a body.
    private static final ClassValue<List<Member>> MEMBERS = new ClassValue<>() {

        @Override
        protected List<Member> computeValue(Class<?> shape) {
            return Arrays.stream(shape.getRecordComponents()).map(Member::of).toList();
        }
    };

    private final List<Violation> violations = new ArrayList<>();
    private final Set<List<Object>> emptied = new HashSet<>();

    /** A record component as a JSON member. */
    private record Member(String name, Type type, List<String> aliases) {

        static Member of(RecordComponent component) {
            JsonAlias alias = component.getAccessor().getAnnotation(JsonAlias.class);
            return new Member(Violations.snakeCase(component.getName()), component.getGenericType(),
                    alias == null ? List.of() : List.of(alias.value()));
        }
    }

    List<Violation> violations() {
        return violations;
    }

    /** Returns whether the member at {@code location}, or its elements, were removed because of their type. */
    boolean isRemoved(List<Object> location) {
        return emptied.contains(location) || violations.stream().anyMatch(violation -> violation.loc().equals(location));
    }

    /** Returns the names of the root members that have violations. */
    Set<String> removedMembers() {
        return violations.stream().map(violation -> String.valueOf(violation.loc().getFirst())).collect(Collectors.toSet());
    }

    void object(ObjectNode node, Class<?> shape, List<Object> location) {
        if (shape.isAnnotationPresent(RejectUnknownMembers.class)) {
            rejectUnknown(node, MEMBERS.get(shape), location);
        }
        for (Member member : MEMBERS.get(shape)) {
            replaceAliases(node, member);
            JsonNode value = node.get(member.name());
            if (value != null && !value.isNull() && !fits(value, member.type(), at(location, member.name()))) {
                node.remove(member.name());
            }
        }
    }

    private void rejectUnknown(ObjectNode node, List<Member> members, List<Object> location) {
        Set<String> known = members.stream()
                .flatMap(member -> Stream.concat(Stream.of(member.name()), member.aliases().stream()))
                .collect(Collectors.toSet());
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            if (!known.contains(member.getKey()) && !member.getValue().isNull() && violations.size() < MAX_VIOLATIONS) {
                violations.add(new Violation(at(location, member.getKey()), "is not supported; leave it out. Supported are "
                        + members.stream().map(Member::name).collect(Collectors.joining(", ")), "unsupported"));
            }
        }
    }

    // Replaces an alias, as other clients of this API use it, by the canonical name; the canonical name takes precedence.
    private static void replaceAliases(ObjectNode node, Member member) {
        for (String other : member.aliases()) {
            JsonNode value = node.remove(other);
            if (value != null && !node.hasNonNull(member.name())) {
                node.set(member.name(), value);
            }
        }
    }

    private boolean fits(JsonNode value, Type type, List<Object> location) {
        if (type instanceof ParameterizedType generic) {
            return fitsGeneric(value, generic, location);
        }
        Class<?> shape = (Class<?>) type;
        if (shape.isRecord()) {
            return expect(value.isObject(), "must be an object", location)
                    && removeInvalidMembers((ObjectNode) value, shape, location);
        }
        if (shape.isEnum()) {
            return expect(value.isTextual() && constants(shape).contains(value.textValue()),
                    "must be one of " + String.join(", ", constants(shape)), location);
        }
        String wrong = scalar(value, shape);
        return expect(wrong == null, String.valueOf(wrong), location);
    }

    private boolean fitsGeneric(JsonNode value, ParameterizedType type, List<Object> location) {
        if (type.getRawType() == Map.class) {
            return expect(value.isObject(), "must be an object", location)
                    && fitsMap((ObjectNode) value, type.getActualTypeArguments()[1], location);
        }
        if (!expect(value.isArray(), "must be an array", location)) {
            return false;
        }
        boolean allFit = true;
        for (int i = 0; i < value.size(); i++) {
            List<Object> element = at(location, i);
            allFit &= value.get(i).isNull()
                    ? expect(false, "must not be null", element)
                    : fits(value.get(i), type.getActualTypeArguments()[0], element);
        }
        if (!allFit) {
            ((ArrayNode) value).removeAll();
            emptied.add(location);
        }
        return allFit;
    }

    private boolean fitsMap(ObjectNode map, Type type, List<Object> location) {
        boolean allFit = true;
        for (Map.Entry<String, JsonNode> member : map.properties()) {
            List<Object> here = at(location, member.getKey());
            allFit &= type == Object.class || (member.getValue().isNull()
                    ? expect(false, "must not be null", here)
                    : fits(member.getValue(), type, here));
        }
        return allFit;
    }

    private boolean removeInvalidMembers(ObjectNode node, Class<?> shape, List<Object> location) {
        object(node, shape, location);
        return true;
    }

    private static @Nullable String scalar(JsonNode value, Class<?> type) {
        if (type == String.class) {
            return value.isTextual() ? null : "must be a string";
        }
        if (type == Boolean.class || type == boolean.class) {
            return value.isBoolean() ? null : "must be true or false";
        }
        if (type == Integer.class || type == int.class) {
            return isWhole(value) && value.canConvertToInt() ? null : "must be a whole number";
        }
        if (type == Long.class || type == long.class) {
            return isWhole(value) && value.canConvertToLong() ? null : "must be a whole number";
        }
        if (type == BigDecimal.class || type == Double.class || type == double.class) {
            return value.isNumber() ? null : "must be a number";
        }
        if (type == UUID.class) {
            return value.isTextual() && UUID_TEXT.matcher(value.textValue()).matches() ? null : "must be a UUID";
        }
        if (type == Instant.class) {
            return value.isTextual() && isTimestamp(value.textValue()) ? null
                    : "must be an ISO 8601 timestamp such as 2026-11-21T08:00:00Z";
        }
        if (type == URI.class) {
            return value.isTextual() && isUri(value.textValue()) ? null : "must be a URL";
        }
        if (type == ObjectNode.class) {
            return value.isObject() ? null : "must be an object";
        }
        return null;
    }

    // A JSON number such as 6.0 counts as a whole number.
    private static boolean isWhole(JsonNode value) {
        return value.isNumber() && (value.isIntegralNumber() || value.decimalValue().stripTrailingZeros().scale() <= 0);
    }

    private static boolean isTimestamp(String text) {
        try {
            Timestamps.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isUri(String text) {
        try {
            return URI.create(text).getScheme() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static List<String> constants(Class<?> shape) {
        return Arrays.stream(shape.getEnumConstants()).map(Object::toString).collect(Collectors.toList());
    }

    private boolean expect(boolean holds, String otherwise, List<Object> location) {
        if (!holds && violations.size() < MAX_VIOLATIONS) {
            violations.add(new Violation(location, otherwise, "type"));
        }
        return holds;
    }

    private static List<Object> at(List<Object> location, Object step) {
        List<Object> deeper = new ArrayList<>(location);
        deeper.add(step);
        return deeper;
    }
}
