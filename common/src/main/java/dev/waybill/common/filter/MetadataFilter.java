package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/**
 * A filter on metadata members from the query parameter {@code metadata} of lists: a JSON object whose values are compared with
 * the members' text.
 *
 * @param values null for a member that must be null or absent
 */
public record MetadataFilter(List<String> keys, List<@Nullable String> values) {

    private static final int MAX_MEMBERS = 50;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Parses the query parameter {@code metadata}; returns an empty filter if it is absent.
     *
     * @throws ProblemException 422 if the parameter is not an object of strings, numbers, booleans and nulls
     */
    public static MetadataFilter parse(@Nullable String text) {
        List<String> keys = new ArrayList<>();
        List<@Nullable String> values = new ArrayList<>();
        if (text != null) {
            for (Map.Entry<String, JsonNode> member : object(text).properties()) {
                JsonNode value = member.getValue();
                if (value.isContainerNode() || member.getKey().indexOf(0) >= 0 || value.asText().indexOf(0) >= 0) {
                    throw invalid("has a value that is not a string, number, boolean or null, or contains U+0000");
                }
                keys.add(member.getKey());
                values.add(value.isNull() ? null : value.asText());
            }
        }
        if (keys.size() > MAX_MEMBERS) {
            throw invalid("must have at most " + MAX_MEMBERS + " members");
        }
        return new MetadataFilter(keys, values);
    }

    /**
     * Returns a condition that a document has all members; always true for an empty filter.
     *
     * @param document SQL expression of type json, which may be null
     * @param keys placeholder of {@link #keyArray}
     * @param values placeholder of {@link #valueArray}
     */
    public static String sql(String document, String keys, String values) {
        return """
                NOT EXISTS (SELECT FROM unnest(%s::text[], %s::text[]) AS required (key, value)
                    WHERE (%s ->> required.key) IS DISTINCT FROM required.value)""".formatted(keys, values, document);
    }

    /** Returns the keys to bind. */
    public String[] keyArray() {
        return keys.toArray(String[]::new);
    }

    /** Returns the values to bind. */
    public @Nullable String[] valueArray() {
        return values.toArray(String[]::new);
    }

    private static JsonNode object(String text) {
        return parseTree(text).filter(JsonNode::isObject).orElseThrow(() -> invalid("must be a JSON object"));
    }

    private static Optional<JsonNode> parseTree(String text) {
        try {
            return Optional.ofNullable(JSON.readTree(text));
        } catch (JsonProcessingException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static ProblemException invalid(String what) {
        return ProblemException.invalid(Violation.of("metadata", what, "invalid"));
    }
}
