package dev.waybill.runtime.assistant;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.application.Graph;
import dev.waybill.common.id.NameIds;

/**
 * A graph as callers see it.
 *
 * @param id made of the graph's name, so that it is the same in every replica and after every restart
 * @param graphId the graph, whose id is the assistant's name
 * @param createdAt since when it is served
 */
public record Assistant(UUID id, String graphId, @Nullable String description, Instant createdAt) {

    /** The namespace of assistants' ids, which other servers of such applications use as well. */
    private static final UUID NAMESPACE = UUID.fromString("6ba7b821-9dad-11d1-80b4-00c04fd430c8");

    static Assistant of(Graph graph, Instant createdAt) {
        return new Assistant(NameIds.of(NAMESPACE, graph.id()), graph.id(), graph.description(), createdAt);
    }
}
