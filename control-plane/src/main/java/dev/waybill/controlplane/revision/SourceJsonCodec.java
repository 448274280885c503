package dev.waybill.controlplane.revision;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Converts sources to and from their stored JSON, which has the form of the API. */
@Singleton
public class SourceJsonCodec {

    private final ObjectMapper json;

    SourceJsonCodec(ObjectMapper json) {
        this.json = json;
    }

    /** Serializes the record. */
    public String write(Record source) {
        try {
            return json.writeValueAsString(source);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a source cannot be serialized", e);
        }
    }

    /** Deserializes a record. */
    public <T extends Record> T read(String text, Class<T> type) {
        try {
            return json.readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored source cannot be deserialized", e);
        }
    }
}
