package dev.waybill.runtime.state;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.limit.KeyedSemaphore;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.runtime.checkpoint.RequestScope;
import dev.waybill.runtime.checkpoint.RequestScopes;
import dev.waybill.runtime.worker.RunSink;
import dev.waybill.runtime.worker.RunSink.Outcome;
import dev.waybill.runtime.worker.WorkerConfig;
import dev.waybill.runtime.worker.Workers;
import dev.waybill.runtime.worker.Workers.RunHandle;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** Sends requests for the state of threads to the workers of their graphs, few of each graph at the same time. */
@Singleton
class StateRequests {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_CONCURRENT = 8;

    private final Workers workers;
    private final RequestScopes scopes;
    private final WorkerConfig config;
    private final Blocking blocking;
    private final Vertx vertx;
    private final Map<String, KeyedSemaphore> permits = new ConcurrentHashMap<>();

    StateRequests(Workers workers, RequestScopes scopes, WorkerConfig config, Blocking blocking, Vertx vertx) {
        this.workers = workers;
        this.scopes = scopes;
        this.config = config;
        this.blocking = blocking;
        this.vertx = vertx;
    }

    /**
     * Returns the worker's result when it executes nothing of the request any more; fails with a problem for the client.
     *
     * @param id id of the request; for an update, that of its run
     */
    Uni<JsonNode> send(UUID id, RequestScope scope, String graph, String method, ObjectNode params) {
        long began = System.nanoTime();
        return permits.computeIfAbsent(graph, ignored -> new KeyedSemaphore(MAX_CONCURRENT * config.processes()))
                .withPermit(blocking, () -> {
                    if (System.nanoTime() - began > TIMEOUT.toNanos()) {
                        throw unavailable("The workers of the graph execute too many requests for states; retry later.");
                    }
                    return execute(id, scope, graph, method, params);
                })
                .map(StateRequests::result);
    }

    private Uni<Outcome> execute(UUID id, RequestScope scope, String graph, String method, ObjectNode params) {
        Context context = Vertx.currentContext();
        return Uni.createFrom().<Outcome> emitter(emitter -> {
            scopes.open(id, scope);
            RunHandle handle = workers.request(id, graph, method, params, new Result(outcome -> {
                scopes.close(id);
                emitter.complete(outcome);
            }));
            long timer = vertx.setTimer(TIMEOUT.toMillis(), ignored -> handle.cancel());
            emitter.onTermination(() -> vertx.cancelTimer(timer));
        }).emitOn(context == null ? Infrastructure.getDefaultExecutor() : task -> context.runOnContext(ignored -> task.run()));
    }

    private static JsonNode result(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> completed.values();
            case Outcome.Cancelled ignored -> throw unavailable("The graph did not respond within %s seconds; retry later."
                    .formatted(TIMEOUT.toSeconds()));
            case Outcome.Failed failed -> throw problem(failed);
        };
    }

    private static ProblemException problem(Outcome.Failed failed) {
        return switch (failed.error()) {
            case "StateTooLarge" -> new ProblemException(CommonProblem.TOO_LARGE, failed.message());
            case "FenceLost", "ThreadDeleted", "RunEnded" -> ProblemException.conflict("The thread was changed or deleted.");
            case "StorageUnavailable", "WorkerUnavailable", "WorkerDied" -> unavailable(failed.message());
            default -> new ProblemException(CommonProblem.INVALID,
                    "The graph failed with " + failed.error() + ": " + failed.message());
        };
    }

    private static ProblemException unavailable(String detail) {
        return new ProblemException(CommonProblem.UNAVAILABLE, detail).retryAfter(Duration.ofSeconds(1));
    }

    /** Receives the outcome of a request, which has no events. */
    private record Result(Consumer<Outcome> receiver) implements RunSink {

        @Override
        public void event(String mode, String namespace, byte[] json, int cost) {
            throw new IllegalStateException("a request for a state has no credit for events");
        }

        @Override
        public void ended(Outcome outcome) {
            // The worker may still send requests; see released.
        }

        @Override
        public void released(Outcome outcome) {
            receiver.accept(outcome);
        }
    }
}
