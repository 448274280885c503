package dev.waybill.runtime.event;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Reads and writes the JSON of events. */
public final class Json {

    /** Without limits of single values: events and states have validated JSON, whose size is limited as a whole. */
    private static final ObjectMapper MAPPER = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build());

    private static final int NODE_BYTES = 32;

    private Json() {
    }

    /** Returns the approximate size of a value without writing it; 0 for none. */
    public static long approximateBytes(@Nullable JsonNode value) {
        if (value == null) {
            return 0;
        }
        long bytes = NODE_BYTES + (value.isTextual() ? value.textValue().length() : 0);
        for (JsonNode element : value) {
            bytes += approximateBytes(element);
        }
        return bytes;
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
