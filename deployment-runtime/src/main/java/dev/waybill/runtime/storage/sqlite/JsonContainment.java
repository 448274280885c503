package dev.waybill.runtime.storage.sqlite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * SQL conditions that JSON contains other JSON, with the meaning of PostgreSQL's operator {@code @>}: objects contain the
 * members, lists contain the elements in any order. Members and values are parameters.
 */
final class JsonContainment {

    private final List<Object> parameters = new ArrayList<>();
    private int aliases;

    /** Returns the parameters of the conditions so far, in their order. */
    List<Object> parameters() {
        return parameters;
    }

    /** Returns the condition that an object contains the members of another one. */
    String members(String object, JsonNode expected) {
        return expected.isEmpty() ? "TRUE"
                : expected.properties().stream().map(member -> member(object, member)).collect(Collectors.joining(" AND "));
    }

    /** Returns the condition that any JSON text contains a value. */
    String value(String json, JsonNode expected) {
        String alias = alias();
        // A list with the text as its only element has a row for the value itself.
        return "EXISTS (SELECT 1 FROM json_each('[' || " + json + " || ']') " + alias + " WHERE "
                + matches(alias, expected) + ")";
    }

    /** Returns the condition that an object contains a member. */
    String member(String object, Map.Entry<String, JsonNode> member) {
        String alias = alias();
        parameters.add(member.getKey());
        return "EXISTS (SELECT 1 FROM json_each(" + object + ") " + alias + " WHERE " + alias + ".key = ? AND "
                + matches(alias, member.getValue()) + ")";
    }

    private String matches(String alias, JsonNode expected) {
        return switch (expected.getNodeType()) {
            case OBJECT -> alias + ".type = 'object' AND " + members(alias + ".value", expected);
            case ARRAY -> alias + ".type = 'array'" + elements(alias + ".value", expected);
            case BOOLEAN -> alias + ".type = '" + expected.booleanValue() + "'";
            case NULL, MISSING -> alias + ".type = 'null'";
            case NUMBER -> alias + ".type IN ('integer', 'real') AND " + equal(alias, number(expected));
            case STRING, BINARY, POJO -> alias + ".type = 'text' AND " + equal(alias, expected.asText());
        };
    }

    /** Returns the parameter for a number. */
    static Object number(JsonNode expected) {
        if (expected.isIntegralNumber() && expected.canConvertToLong()) {
            return expected.longValue();
        }
        return expected.doubleValue();
    }

    private String equal(String alias, Object value) {
        parameters.add(value);
        return alias + ".value = ?";
    }

    private String elements(String list, JsonNode expected) {
        StringBuilder conditions = new StringBuilder();
        for (JsonNode element : expected) {
            String alias = alias();
            conditions.append(" AND EXISTS (SELECT 1 FROM json_each(").append(list).append(") ").append(alias).append(" WHERE ")
                    .append(matches(alias, element)).append(')');
        }
        return conditions.toString();
    }

    private String alias() {
        return "e" + aliases++;
    }
}
