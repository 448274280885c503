package dev.waybill.runtime.assistant;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import dev.waybill.common.application.Application;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/** All assistants of the application. */
@Singleton
public class AssistantCatalog {

    private final List<Assistant> assistants;

    AssistantCatalog(Application application, Clock clock) {
        Instant now = clock.instant();
        this.assistants = application.graphs().stream().map(graph -> Assistant.of(graph, now)).toList();
    }

    /** In the order of their names. */
    List<Assistant> all() {
        return assistants;
    }

    /**
     * The assistant of that name or id.
     *
     * @throws ProblemException 404 with the names there are
     */
    public Assistant require(String nameOrId) {
        return assistants.stream()
                .filter(assistant -> assistant.graphId().equals(nameOrId)
                        || assistant.id().toString().equalsIgnoreCase(nameOrId))
                .findFirst()
                .orElseThrow(
                        () -> new ProblemException(CommonProblem.NOT_FOUND, "There is no such assistant; this application has "
                                + assistants.stream().map(Assistant::graphId).collect(Collectors.joining(", ")) + "."));
    }
}
