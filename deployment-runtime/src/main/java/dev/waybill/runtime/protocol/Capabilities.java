package dev.waybill.runtime.protocol;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Capabilities that a worker reports for its graph in the response to {@code initialize}.
 *
 * @param version version of the protocol that both sides use
 * @param textTypes types of serialized values that the worker expects as text
 * @param operations requests of the runtime, besides those of version 1, that the worker implements
 * @param usesStore whether the graph uses the runtime's store
 * @param takesNewest whether the graph begins with the newest checkpoint in its start request, if that has one
 */
public record Capabilities(int version, Set<String> textTypes, Set<String> operations, Memory memory, boolean usesStore,
        boolean takesNewest) {

    /** Version in which the worker sends requests, too. */
    public static final int WITH_REQUESTS = 2;

    private static final int MAX_NAMES = 64;
    private static final int MAX_NAME_LENGTH = 64;

    /** Owner of the state of a graph's threads. */
    public enum Memory {
        /** The graph uses the runtime's checkpointer. */
        CHECKPOINTS,
        /** The graph has its own checkpointer. */
        OWN,
        /** The graph has no checkpoints; the runtime stores its JSON state. */
        JSON,
        /** The graph does not remember. */
        STATE
    }

    /**
     * Reads the response to {@code initialize}; empty if the worker chose a version that the runtime did not offer.
     *
     * @param maxVersion highest version that the runtime offered
     */
    public static Optional<Capabilities> from(JsonNode response, String graph, int maxVersion) {
        int version = response.path("protocol_version").asInt();
        if (version < MessageWriter.PROTOCOL_VERSION || version > maxVersion) {
            return Optional.empty();
        }
        if (version < WITH_REQUESTS) {
            return Optional.of(new Capabilities(version, Set.of(), Set.of(), Memory.STATE, false, false));
        }
        JsonNode reported = response.path("graphs").path(graph);
        Memory memory = switch (reported.path("memory").asText()) {
            case "checkpoints" -> Memory.CHECKPOINTS;
            case "own" -> Memory.OWN;
            case "json" -> Memory.JSON;
            default -> Memory.STATE;
        };
        return Optional.of(new Capabilities(version, names(response.path("text_types")), names(response.path("operations")),
                memory, reported.path("store").asBoolean(),
                memory == Memory.CHECKPOINTS && response.path("newest_checkpoint").asBoolean()));
    }

    /** Returns whether the worker may send requests. */
    public boolean sendsRequests() {
        return version >= WITH_REQUESTS;
    }

    private static Set<String> names(JsonNode list) {
        Set<String> names = new HashSet<>();
        for (JsonNode name : list) {
            if (name.isTextual() && name.textValue().length() <= MAX_NAME_LENGTH && names.size() < MAX_NAMES) {
                names.add(name.textValue());
            }
        }
        return Set.copyOf(names);
    }
}
