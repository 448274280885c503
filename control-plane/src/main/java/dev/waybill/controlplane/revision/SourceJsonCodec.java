package dev.waybill.controlplane.revision;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Sources as their rows keep them: as the wire has them. */
@Singleton
public class SourceJsonCodec {

    private final ObjectMapper json;

    SourceJsonCodec(ObjectMapper json) {
        this.json = json;
    }

    /** The record as text. */
    public String write(Record source) {
        try {
            return json.writeValueAsString(source);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a source is plain members", e);
        }
    }

    /** The record that was written. */
    public <T extends Record> T read(String text, Class<T> type) {
        try {
            return json.readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored source has an unknown form", e);
        }
    }
}
