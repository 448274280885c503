package dev.waybill.runtime.storage;

import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Operations on stored JSON, which the caller has validated. */
public final class JsonText {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private JsonText() {
    }

    /** Returns the first object with the members of the second one; nested objects are replaced. */
    public static String merge(String object, String changes) {
        ObjectNode merged = object(object);
        merged.setAll(object(changes));
        return merged.toString();
    }

    /** Returns an object with these members. */
    public static String ofTexts(Map<String, String> members) {
        ObjectNode object = JSON.createObjectNode();
        members.forEach(object::put);
        return object.toString();
    }

    /** Returns an array of these texts. */
    public static String ofArray(Collection<String> texts) {
        ArrayNode array = JSON.createArrayNode();
        texts.forEach(array::add);
        return array.toString();
    }

    /** Returns the members of an object of texts. */
    public static Map<String, String> texts(String object) {
        Map<String, String> members = new LinkedHashMap<>();
        parse(object).properties().forEach(member -> members.put(member.getKey(), member.getValue().textValue()));
        return members;
    }

    /** Returns a JSON object. */
    public static ObjectNode object(String json) {
        return (ObjectNode) parse(json);
    }

    /** Returns any JSON value. */
    public static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
