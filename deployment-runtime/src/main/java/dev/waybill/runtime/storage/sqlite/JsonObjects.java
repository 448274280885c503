package dev.waybill.runtime.storage.sqlite;

import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Operations on JSON objects that PostgreSQL has and SQLite lacks. */
final class JsonObjects {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private JsonObjects() {
    }

    /** Returns the first object with the members of the second one; nested objects are replaced. */
    static String merge(String object, String changes) {
        ObjectNode merged = (ObjectNode) parse(object);
        merged.setAll((ObjectNode) parse(changes));
        return merged.toString();
    }

    /** Returns an object with these members. */
    static String ofTexts(Map<String, String> members) {
        ObjectNode object = JSON.createObjectNode();
        members.forEach(object::put);
        return object.toString();
    }

    /** Returns the members of an object of texts. */
    static Map<String, String> texts(String object) {
        Map<String, String> members = new LinkedHashMap<>();
        parse(object).properties().forEach(member -> members.put(member.getKey(), member.getValue().textValue()));
        return members;
    }

    /** Parses JSON that the caller has validated. */
    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
