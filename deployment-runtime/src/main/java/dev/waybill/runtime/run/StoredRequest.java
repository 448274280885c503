package dev.waybill.runtime.run;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The stored request of a run on a thread, for its further attempts.
 *
 * @param principal the caller
 * @param detached whether the run continues without its client
 * @param graph id of its assistant's graph; null in runs that earlier versions stored
 * @param fingerprint of the client's request, in hexadecimal digits; null without an idempotency key
 */
@RegisterForReflection
record StoredRequest(String principal, boolean detached, @Nullable String graph, CreateRunRequest body,
        @Nullable String fingerprint) {

    /** Above that of the API, because the body of a request is a member here. */
    private static final int MAX_NESTING_DEPTH = 1_000;

    byte[] toBytes(ObjectMapper mapper) {
        try {
            return mapper.writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a parsed request can always be written", e);
        }
    }

    /** @throws IllegalStateException for a request that cannot be read */
    static StoredRequest parse(byte[] stored, ObjectMapper mapper) {
        JsonFactory factory = JsonFactory.builder().streamReadConstraints(mapper.getFactory().streamReadConstraints().rebuild()
                .maxNestingDepth(MAX_NESTING_DEPTH).build()).build();
        try (JsonParser parser = factory.createParser(stored)) {
            return mapper.readValue(parser, StoredRequest.class);
        } catch (IOException e) {
            throw new IllegalStateException("the stored request of a run cannot be read", e);
        }
    }
}
