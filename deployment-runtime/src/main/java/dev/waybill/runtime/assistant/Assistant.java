package dev.waybill.runtime.assistant;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.application.Graph;
import dev.waybill.common.id.NameIds;

/**
 * A graph as exposed to clients.
 *
 * @param id derived from the graph's name, so that it is the same in every replica and after every restart
 * @param graphId id of the graph, which is also the assistant's name
 * @param createdAt start of this runtime
 */
public record Assistant(UUID id, String graphId, @Nullable String description, Instant createdAt) {

    /** Namespace of assistants' ids; other servers of such applications use the same one. */
    private static final UUID NAMESPACE = UUID.fromString("6ba7b821-9dad-11d1-80b4-00c04fd430c8");

    static Assistant of(Graph graph, Instant createdAt) {
        return new Assistant(NameIds.of(NAMESPACE, graph.id()), graph.id(), graph.description(), createdAt);
    }
}
