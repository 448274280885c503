package dev.waybill.runtime.stream;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.FollowedRuns;
import dev.waybill.runtime.run.FollowedRuns.StoredEnd;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunError;
import dev.waybill.runtime.run.RunStatus;
import dev.waybill.runtime.run.StoredThreadRuns.CallerThread;
import dev.waybill.runtime.storage.RunStorage.EventChunk;
import dev.waybill.runtime.storage.RunStorage.EventChunks;
import dev.waybill.runtime.stream.ResultStream.Result;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;

/**
 * Reads the events of a run that another replica executes: asks that replica to store them, and reads them while the client
 * does. At the end of the run, its result follows. All work happens on the connection's event loop.
 */
final class FollowedRunReader {

    private static final long MIN_WAIT_MILLIS = 100;
    private static final long MAX_WAIT_MILLIS = 1_000;
    private static final Duration FOLLOWED = Duration.ofSeconds(15);
    private static final long FOLLOW_MILLIS = 5_000;

    private final FollowedRuns runs;
    private final CallerThread thread;
    private final UUID run;
    private final StreamConnection client;
    private final Sink sink;
    private long position;
    private long waitMillis = MIN_WAIT_MILLIS;
    private boolean paused;
    private boolean closed;
    private @Nullable Future<?> reading;
    private @Nullable Future<?> following;

    /** Destination of the events. */
    interface Sink {

        /** Returns whether the client does not read; {@link FollowedRunReader#resume} is called when it does again. */
        boolean isFull();

        void write(Buffer events);

        /**
         * Called once with the result of a run that has succeeded: the values of its thread.
         *
         * @param isLatest whether the thread has not been changed since the end of the run
         */
        void succeeded(Buffer values, boolean isLatest);

        /** Called once with the error of a run that has failed or was cancelled, or whose result cannot be read. */
        void failed(RunError error);

        /** Called once, instead of {@link #failed}, if the run was deleted meanwhile. */
        default void deleted(RunError error) {
            failed(error);
        }
    }

    /** @param position number of the last event that the client has received; -1 for none */
    FollowedRunReader(FollowedRuns runs, CallerThread thread, UUID run, long position, StreamConnection client, Sink sink) {
        this.runs = runs;
        this.thread = thread;
        this.run = run;
        this.position = position;
        this.client = client;
        this.sink = sink;
    }

    void start() {
        follow();
        read();
    }

    /** Continues after the client did not read. */
    void resume() {
        if (paused) {
            paused = false;
            read();
        }
    }

    void close() {
        closed = true;
        cancel(reading);
        cancel(following);
    }

    /** Returns the number of the last event that was read; -1 for none. */
    long position() {
        return position;
    }

    private static void cancel(@Nullable Future<?> work) {
        if (work != null) {
            work.cancel(false);
        }
    }

    private void read() {
        if (closed) {
            return;
        }
        paused = sink.isFull();
        if (!paused) {
            then(runs.events(thread, run, position), this::send);
        }
    }

    /** Asks for the events also while the client does not read: otherwise the replica would stop storing them. */
    private void follow() {
        if (!closed) {
            CompletableFuture<Void> pending = runs.follow(thread, run, FOLLOWED).subscribeAsCompletionStage();
            following = pending;
            pending.whenComplete((ignored, failure) -> client.runAfter(FOLLOW_MILLIS, this::follow));
        }
    }

    private void send(EventChunks stored) {
        stored.chunks().forEach(this::send);
        if (stored.complete()) {
            then(runs.awaitEnd(thread, run), this::finish);
        } else if (stored.chunks().isEmpty()) {
            client.runAfter(waitMillis, this::read);
            waitMillis = Math.min(MAX_WAIT_MILLIS, waitMillis * 2);
        } else {
            waitMillis = MIN_WAIT_MILLIS;
            read();
        }
    }

    private void send(EventChunk chunk) {
        Buffer events = Buffer.buffer();
        if (chunk.first() > position) {
            events.appendBytes(chunk.events());
        } else {
            // The replica began again, with another first event.
            Arrays.stream(new String(chunk.events(), StandardCharsets.UTF_8).split("(?<=\n\n)"))
                    .filter(event -> number(event) > position).forEach(events::appendString);
        }
        position = Math.max(position, chunk.last());
        if (events.length() > 0) {
            sink.write(events);
        }
    }

    /** Returns the number in the id of an event, which is its last line. */
    private static long number(String event) {
        return Long.parseLong(event.substring(event.lastIndexOf(':') + 1).strip());
    }

    private void finish(StoredEnd stored) {
        Run.End end = stored.end();
        RunError error = end.status() == RunStatus.INTERRUPTED ? RunError.CANCELLED : end.error();
        if (error != null) {
            sink.failed(error);
        } else {
            sink.succeeded(RemoteRunStream.event("values", Json.bytes(Result.body(end))), stored.isLatest());
        }
    }

    /** Returns whether the storage does not have the run or its thread. */
    static boolean isMissing(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof ProblemException problem && problem.type() == CommonProblem.NOT_FOUND;
    }

    private <T> void then(Uni<T> result, Consumer<T> next) {
        CompletableFuture<T> pending = result.subscribeAsCompletionStage();
        reading = pending;
        pending.whenComplete((item, failure) -> client.run(() -> {
            if (closed) {
                return;
            }
            if (failure == null) {
                next.accept(item);
            } else if (isMissing(failure)) {
                sink.deleted(RunError.unknownResult(failure));
            } else {
                sink.failed(RunError.unknownResult(failure));
            }
        }));
    }
}
