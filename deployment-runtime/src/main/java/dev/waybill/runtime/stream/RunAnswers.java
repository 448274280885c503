package dev.waybill.runtime.stream;

import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.access.KeyWatchTimer;
import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunConfig;
import dev.waybill.runtime.run.RunService;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers that last as long as their run. They are written straight to the connection; what the framework gets is only when
 * they are over. Also what becomes of a run whose client goes away.
 */
@Singleton
class RunAnswers {

    private final RunService runs;
    private final Heartbeats heartbeats;
    private final KeyWatchTimer keys;
    private final Vertx vertx;
    private final RunConfig config;
    private final FirstEvents firstEvents;

    RunAnswers(RunService runs, Heartbeats heartbeats, KeyWatchTimer keys, Vertx vertx, RunConfig config) {
        this.runs = runs;
        this.heartbeats = heartbeats;
        this.keys = keys;
        this.vertx = vertx;
        this.config = config;
        this.firstEvents = new FirstEvents(vertx);
    }

    /** A switch in a query, as clients of either kind write it. */
    static boolean isYes(@Nullable String value) {
        return "1".equals(value) || "true".equals(value);
    }

    /** Streams a new run from its first event, and begins it. */
    Uni<Void> stream(Run run, RoutingContext request) {
        return Uni.createFrom().emitter(emitter -> stream(run, request, () -> emitter.complete(null)));
    }

    /** The same, for a request that the framework knows nothing of. */
    void stream(Run run, RoutingContext request, Runnable over) {
        Function<Runnable, EventLog.Cursor> fromTheFirst = wake -> {
            EventLog.Cursor first = run.log().open(0, wake).orElseThrow();
            runs.begin(run);
            return first;
        };
        last(request, (client, left) -> new EventStream(run, client, fromTheFirst, firstEvents, left), () -> {
            left(run);
            over.run();
        });
    }

    /** Streams a run to somebody who joins it. */
    Uni<Void> join(Run run, RoutingContext request, Function<Runnable, EventLog.Cursor> open, boolean cancelWhenLeft) {
        return Uni.createFrom().emitter(emitter -> last(request,
                (client, left) -> new EventStream(run, client, open, null, left),
                () -> {
                    if (cancelWhenLeft) {
                        runs.cancel(run);
                    } else if (run.request().resumable()) {
                        left(run);
                    }
                    emitter.complete(null);
                }));
    }

    /** Streams a run from its first event to who has asked for it before. */
    Uni<Void> again(Run run, RoutingContext request) {
        RunRepetitions.requireUnread(run);
        return join(run, request, EventPosition.of(run, EventPosition.BEFORE_ALL), false);
    }

    /**
     * Answers with the run's values when it has ended, and begins it.
     *
     * @param again whether they may be asked for once more
     */
    Uni<Void> await(Run run, RoutingContext request, boolean again) {
        run.needValues();
        if (again) {
            run.keepValues();
        }
        return Uni.createFrom().emitter(emitter -> last(request,
                (client, left) -> new WaitingAnswer(run, client, () -> runs.begin(run), left),
                () -> {
                    left(run);
                    emitter.complete(null);
                }));
    }

    /**
     * Answers with the values of a run that was begun before, when it has ended.
     *
     * @throws ProblemException 410 when its values are not kept: it has gone through, or was streamed without them
     */
    Uni<Void> joinValues(Run run, RoutingContext request, boolean cancelWhenLeft) {
        if (!run.keepValues()) {
            throw new ProblemException(RunProblem.EVENTS_GONE, "The values of this run are not kept: it was streamed"
                    + " or waited for. Start it with stream_resumable to have them kept; one with stream_mode values may be"
                    + " joined for them while it runs.");
        }
        return Uni.createFrom().emitter(emitter -> last(request,
                (client, left) -> new WaitingAnswer(run, client, () -> {
                    // It has begun.
                }, left),
                () -> {
                    if (cancelWhenLeft) {
                        runs.cancel(run);
                    }
                    emitter.complete(null);
                }));
    }

    /** Answers with the run's values to who has asked for it before. */
    Uni<Void> awaitAgain(Run run, RoutingContext request) {
        RunRepetitions.requireEnded(run);
        return joinValues(run, request, false);
    }

    /** @param over called once, when the client has everything or is gone */
    private void last(RoutingContext request, BiFunction<ClientConnection, Consumer<LastingAnswer>, LastingAnswer> to,
            Runnable over) {
        LastingAnswer answer = to.apply(new ClientConnection(request, vertx, config.stalled().toMillis()), left -> {
            heartbeats.remove(left);
            keys.remove(left);
            over.run();
        });
        answer.begin();
        heartbeats.add(answer);
        keys.add(request, answer);
        request.addEndHandler(ignored -> answer.close());
        // Also when it was gone before anybody looked.
        if (request.response().closed()) {
            answer.close();
        }
    }

    /** A client that can come back is given time to. */
    private void left(Run run) {
        if (run.status().isFinal() || !run.request().cancelsOnDisconnect()) {
            return;
        }
        if (!run.request().resumable()) {
            runs.cancel(run);
            return;
        }
        vertx.setTimer(Math.max(1, config.reconnect().toMillis()), ignored -> {
            if (!run.log().isRead()) {
                runs.cancel(run);
            }
        });
    }
}
