package dev.waybill.runtime.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Reads and writes the JSON of events. */
public final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {
    }

    public static byte[] bytes(JsonNode value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }

    public static JsonNode parse(byte[] json) {
        try {
            return MAPPER.readTree(json);
        } catch (java.io.IOException e) {
            throw new IllegalStateException("MessageReader validated the JSON", e);
        }
    }
}
