package dev.waybill.runtime.run;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The stored request of a run on a thread, for its further attempts.
 *
 * @param principal the caller
 * @param detached whether the run continues without its client
 * @param graph id of its assistant's graph; null in runs that earlier versions stored
 */
@RegisterForReflection
record StoredRequest(String principal, boolean detached, @Nullable String graph, CreateRunRequest body) {

    byte[] toBytes(ObjectMapper mapper) {
        try {
            return mapper.writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a parsed request can always be written", e);
        }
    }

    static StoredRequest parse(byte[] stored, ObjectMapper mapper) {
        try {
            return mapper.readValue(stored, StoredRequest.class);
        } catch (IOException e) {
            throw new IllegalStateException("the stored request of a run cannot be read", e);
        }
    }
}
