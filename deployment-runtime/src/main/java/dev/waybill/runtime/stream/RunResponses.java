package dev.waybill.runtime.stream;

import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.access.KeyRecheckTimer;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunConfig;
import dev.waybill.runtime.run.RunLifecycleService;
import dev.waybill.runtime.stream.EventPosition.RunProblem;
import dev.waybill.runtime.stream.EventStream.FirstEventDelay;
import dev.waybill.runtime.stream.ResultStream.Result;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/**
 * Creates the long-lived responses of runs, which are written directly to the connection, and handles disconnected clients. The
 * framework is only notified of their end.
 */
@Singleton
class RunResponses {

    private final RunLifecycleService runs;
    private final HeartbeatTimer heartbeats;
    private final KeyRecheckTimer keys;
    private final Vertx vertx;
    private final RunConfig config;
    private final FirstEventDelay firstEventDelay;

    RunResponses(RunLifecycleService runs, HeartbeatTimer heartbeats, KeyRecheckTimer keys, Vertx vertx, RunConfig config) {
        this.runs = runs;
        this.heartbeats = heartbeats;
        this.keys = keys;
        this.vertx = vertx;
        this.config = config;
        this.firstEventDelay = new FirstEventDelay(vertx);
    }

    /** Returns whether a boolean query parameter is set; clients send {@code 1} or {@code true}. */
    static boolean isTrue(@Nullable String value) {
        return "1".equals(value) || "true".equals(value);
    }

    /** Starts a new run and streams it from its first event. */
    Uni<Void> stream(Run run, RoutingContext request) {
        return Uni.createFrom().emitter(emitter -> stream(run, request, () -> emitter.complete(null)));
    }

    /** Starts and streams a new run for a request that is not handled by the framework. */
    void stream(Run run, RoutingContext request, Runnable onClose) {
        Function<Runnable, EventLog.Cursor> fromFirstEvent = wake -> {
            EventLog.Cursor first = run.log().open(0, wake).orElseThrow();
            runs.start(run);
            return first;
        };
        respond(request, (client, onDisconnect) -> new EventStream(run, client, fromFirstEvent, firstEventDelay, onDisconnect),
                () -> {
                    onDisconnect(run);
                    onClose.run();
                });
    }

    /** Streams an existing run. */
    Uni<Void> join(Run run, RoutingContext request, Function<Runnable, EventLog.Cursor> open, boolean cancelOnDisconnect) {
        return Uni.createFrom().emitter(emitter -> respond(request,
                (client, onDisconnect) -> new EventStream(run, client, open, null, onDisconnect),
                () -> {
                    if (cancelOnDisconnect) {
                        runs.cancel(run);
                    } else if (run.request().resumable()) {
                        onDisconnect(run);
                    }
                    emitter.complete(null);
                }));
    }

    /** Streams a run from its first event for a repeated request. */
    Uni<Void> replay(Run run, RoutingContext request) {
        IdempotentRuns.requireNoReader(run);
        return join(run, request, EventPosition.of(run, EventPosition.BEFORE_ALL), false);
    }

    /**
     * Starts the run and responds with its values at its end.
     *
     * @param repeatable whether the request may be repeated, so that the values must be retained
     */
    Uni<Void> await(Run run, RoutingContext request, boolean repeatable) {
        run.requireValues();
        if (repeatable) {
            run.retainValues();
        }
        return Uni.createFrom().emitter(emitter -> respond(request,
                (client, onDisconnect) -> new ResultStream(run, client, () -> runs.start(run), Result.OF_RUN, onDisconnect),
                () -> {
                    onDisconnect(run);
                    emitter.complete(null);
                }));
    }

    /**
     * Responds with the values of an existing run at its end.
     *
     * @throws ProblemException 410 when its values are not retained
     */
    Uni<Void> joinValues(Run run, RoutingContext request, boolean cancelOnDisconnect) {
        if (!run.retainValues()) {
            throw new ProblemException(RunProblem.EVENTS_GONE, "The values of this run are not retained: it was streamed"
                    + " or waited for. Start it with stream_resumable to retain them; a run with stream_mode values can be"
                    + " joined while it is active.");
        }
        return joinResult(run, request, cancelOnDisconnect, Result.OF_RUN);
    }

    /** Responds with a result at the end of an existing run. */
    Uni<Void> joinResult(Run run, RoutingContext request, boolean cancelOnDisconnect, Result result) {
        return Uni.createFrom().emitter(emitter -> respond(request,
                (client, onDisconnect) -> new ResultStream(run, client, () -> {
                    // The run was started before.
                }, result, onDisconnect),
                () -> {
                    if (cancelOnDisconnect) {
                        runs.cancel(run);
                    }
                    emitter.complete(null);
                }));
    }

    /**
     * Responds to a client that joins a run of another replica.
     *
     * @param onDisconnect called when the client has disconnected before the end, unless this runtime is shutting down
     */
    Uni<Void> joinStored(RoutingContext request,
            BiFunction<StreamConnection, Consumer<ResponseStream>, ResponseStream> response, Runnable onDisconnect) {
        return Uni.createFrom().emitter(emitter -> respond(request, response, () -> {
            if (!request.response().ended() && !runs.isStopping()) {
                onDisconnect.run();
            }
            emitter.complete(null);
        }));
    }

    /** Responds with the run's values for a repeated request. */
    Uni<Void> replayValues(Run run, RoutingContext request) {
        IdempotentRuns.requireEnded(run);
        return joinValues(run, request, false);
    }

    /** @param onClose called once, when the response is complete or the client has disconnected */
    private void respond(RoutingContext request,
            BiFunction<StreamConnection, Consumer<ResponseStream>, ResponseStream> factory,
            Runnable onClose) {
        ResponseStream response = factory
                .apply(new StreamConnection(request, vertx, HeartbeatTimer.STALL_TIMEOUT.toMillis()), closed -> {
                    heartbeats.remove(closed);
                    keys.remove(closed);
                    onClose.run();
                });
        response.start();
        heartbeats.add(response);
        keys.add(request, response);
        request.addEndHandler(ignored -> response.close());
        // The connection may have closed before the handler was added.
        if (request.response().closed()) {
            response.close();
        }
    }

    /** Cancels the run of a disconnected client; if the run is resumable, only after the reconnect timeout. */
    private void onDisconnect(Run run) {
        if (run.status().isFinal() || !run.request().cancelsOnDisconnect()) {
            return;
        }
        if (!run.request().resumable()) {
            runs.cancel(run);
            return;
        }
        vertx.setTimer(Math.max(1, config.reconnectTimeout().toMillis()), ignored -> {
            if (!run.log().hasReaders()) {
                runs.cancel(run);
            }
        });
    }
}
