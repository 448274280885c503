package dev.waybill.runtime.assistant;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.Graph;
import dev.waybill.common.id.NameIds;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.storage.AssistantStorage.Settings;
import dev.waybill.runtime.storage.AssistantStorage.StoredAssistant;

/** The assistants of the application's graphs: one of each, with its name, created when the runtime starts. */
@Singleton
public class AssistantCatalog {

    /** Namespace of assistants' ids; other servers of such applications use the same one. */
    private static final UUID NAMESPACE = UUID.fromString("6ba7b821-9dad-11d1-80b4-00c04fd430c8");
    private static final String METADATA = "{\"created_by\":\"system\"}";
    private static final String NO_OBJECT = "{}";

    private final List<StoredAssistant> assistants;

    AssistantCatalog(Application application, Clock clock) {
        Instant now = clock.instant();
        this.assistants = application.graphs().stream().map(graph -> ofGraph(graph, now)).toList();
    }

    /** The id is derived from the graph's name, so that it is the same in every replica and after every restart. */
    private static StoredAssistant ofGraph(Graph graph, Instant now) {
        Settings settings = new Settings(graph.id(), graph.id(), graph.description(), NO_OBJECT, NO_OBJECT, METADATA);
        return new StoredAssistant(NameIds.of(NAMESPACE, graph.id()), 1, settings, now, now);
    }

    /** Returns all assistants, ordered by name. */
    List<StoredAssistant> all() {
        return assistants;
    }

    /** Returns the assistant with the name or id. */
    public Optional<StoredAssistant> find(String nameOrId) {
        return assistants.stream()
                .filter(assistant -> assistant.settings().graph().equals(nameOrId)
                        || assistant.id().toString().equalsIgnoreCase(nameOrId))
                .findFirst();
    }

    /**
     * Returns the assistant with the name or id.
     *
     * @throws ProblemException 404 with the names of all assistants
     */
    public StoredAssistant require(String nameOrId) {
        return find(nameOrId).orElseThrow(this::missing);
    }

    /** Returns whether the application has a graph. */
    boolean hasGraph(String graph) {
        return assistants.stream().anyMatch(assistant -> assistant.settings().graph().equals(graph));
    }

    /** Returns the names of all graphs. */
    String names() {
        return assistants.stream().map(assistant -> assistant.settings().graph()).collect(Collectors.joining(", "));
    }

    ProblemException missing() {
        return new ProblemException(CommonProblem.NOT_FOUND,
                "The assistant does not exist; this application has " + names() + ".");
    }
}
