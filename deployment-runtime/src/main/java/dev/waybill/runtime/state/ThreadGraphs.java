package dev.waybill.runtime.state;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.Graph;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.protocol.Capabilities;
import dev.waybill.runtime.protocol.Capabilities.Memory;
import dev.waybill.runtime.storage.ThreadStorage.StoredThread;
import dev.waybill.runtime.worker.Workers;

/** Finds the graph of a thread, which its first run or its creator writes to the metadata. */
@Singleton
class ThreadGraphs {

    private final Application application;
    private final Workers workers;

    ThreadGraphs(Application application, Workers workers) {
        this.application = application;
        this.workers = workers;
    }

    /**
     * Returns the graph of a thread; empty if it has none yet.
     *
     * @throws ProblemException if the application does not have the graph, or its worker is not ready
     */
    Optional<ThreadGraph> find(StoredThread thread) {
        JsonNode id = Json.parse(thread.metadata().getBytes(StandardCharsets.UTF_8)).path("graph_id");
        return id.isTextual() ? Optional.of(require(id.textValue())) : Optional.empty();
    }

    /**
     * Returns a graph by its id.
     *
     * @throws ProblemException if the application does not have the graph, or its worker is not ready
     */
    ThreadGraph require(String id) {
        if (application.graph(id).isEmpty()) {
            throw new ProblemException(CommonProblem.INVALID, "The graph " + id + " does not exist; this application has "
                    + application.graphs().stream().map(Graph::id).collect(Collectors.joining(", ")) + ".");
        }
        return workers.capabilities(id).map(capabilities -> new ThreadGraph(id, capabilities))
                .orElseThrow(() -> new ProblemException(CommonProblem.UNAVAILABLE,
                        "The worker of the graph is not ready yet; retry in a moment."));
    }

    /** A graph and the capabilities of its worker. */
    record ThreadGraph(String id, Capabilities capabilities) {

        /** Returns whether its threads have checkpoints. */
        boolean hasCheckpoints() {
            return capabilities.memory() == Memory.CHECKPOINTS || capabilities.memory() == Memory.OWN;
        }

        /** Returns whether the runtime stores a JSON state of its threads. */
        boolean hasJsonState() {
            return capabilities.memory() == Memory.JSON;
        }

        /**
         * Requires that the worker implements an operation.
         *
         * @throws ProblemException 422
         */
        void require(String operation) {
            if (!hasCheckpoints() || !capabilities.operations().contains(operation)) {
                throw new ProblemException(CommonProblem.INVALID,
                        "The graph %s has no checkpoints, or its worker does not implement the operation %s.".formatted(id,
                                operation));
            }
        }
    }
}
