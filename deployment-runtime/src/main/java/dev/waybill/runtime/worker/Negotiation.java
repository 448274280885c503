package dev.waybill.runtime.worker;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.runtime.protocol.Capabilities;
import dev.waybill.runtime.protocol.MessageWriter;

/** The version of the protocol that the runtime offers to a worker, and the worker's choice. */
final class Negotiation {

    private final String graph;
    private final @Nullable WorkerRequests requests;
    private volatile @Nullable Capabilities capabilities;

    /** @param requests executes requests of the worker; without it, only version 1 is offered */
    Negotiation(String graph, @Nullable WorkerRequests requests) {
        this.graph = graph;
        this.requests = requests;
    }

    /** Returns the line of {@code initialize}. */
    byte[] offer(long id, int maxLineSize) {
        return requests == null
                ? MessageWriter.initialize(id, graph, maxLineSize)
                : MessageWriter.initialize(id, graph, maxLineSize, requests.limits());
    }

    /** Reads the response to {@code initialize}; returns false if the worker chose a version that was not offered. */
    boolean accept(JsonNode response) {
        int maxVersion = requests == null ? MessageWriter.PROTOCOL_VERSION : Capabilities.WITH_REQUESTS;
        capabilities = Capabilities.from(response, graph, maxVersion).orElse(null);
        return capabilities != null;
    }

    /** Returns what the worker reported; null until it is ready. */
    @Nullable
    Capabilities capabilities() {
        return capabilities;
    }

    /** Returns the executor of the worker's requests; null if the worker sends none. */
    @Nullable
    WorkerRequests requests() {
        Capabilities known = capabilities;
        return known != null && known.sendsRequests() ? requests : null;
    }

    /** Returns the types of serialized values that the worker expects as text. */
    Set<String> textTypes() {
        Capabilities known = capabilities;
        return known == null ? Set.of() : known.textTypes();
    }
}
