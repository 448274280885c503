package dev.waybill.runtime.assistant;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import dev.waybill.common.application.Application;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/** The assistants of the application. */
@Singleton
public class AssistantCatalog {

    private final List<Assistant> assistants;

    AssistantCatalog(Application application, Clock clock) {
        Instant now = clock.instant();
        this.assistants = application.graphs().stream().map(graph -> Assistant.of(graph, now)).toList();
    }

    /** Returns all assistants, ordered by name. */
    List<Assistant> all() {
        return assistants;
    }

    /**
     * Returns the assistant with the name or id.
     *
     * @throws ProblemException 404 with the names of all assistants
     */
    public Assistant require(String nameOrId) {
        return assistants.stream()
                .filter(assistant -> assistant.graphId().equals(nameOrId)
                        || assistant.id().toString().equalsIgnoreCase(nameOrId))
                .findFirst()
                .orElseThrow(
                        () -> new ProblemException(CommonProblem.NOT_FOUND,
                                "The assistant does not exist; this application has "
                                        + assistants.stream().map(Assistant::graphId).collect(Collectors.joining(", ")) + "."));
    }
}
