package dev.waybill.runtime.stream;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.FollowedRuns;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunError;
import dev.waybill.runtime.run.RunStatus;
import dev.waybill.runtime.run.ThreadRunService.CallerThread;
import dev.waybill.runtime.storage.RunStorage.EventChunk;
import dev.waybill.runtime.storage.RunStorage.EventChunks;
import dev.waybill.runtime.stream.ResultStream.Result;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;

/**
 * Streams a run that another replica executes: asks that replica to store the events, and reads them while the client does. At
 * the end of the run, the result follows. All work happens on the connection's event loop.
 */
final class FollowedRunStream extends RemoteRunStream {

    private static final long MIN_WAIT_MILLIS = 100;
    private static final long MAX_WAIT_MILLIS = 1_000;
    private static final Duration FOLLOWED = Duration.ofSeconds(15);
    private static final long FOLLOW_MILLIS = 5_000;

    private final FollowedRuns runs;
    private final CallerThread thread;
    private final UUID run;
    private long position;
    private long waitMillis = MIN_WAIT_MILLIS;
    private @Nullable Future<?> reading;
    private @Nullable Future<?> following;

    /** @param position number of the last event that the client has received; -1 for none */
    FollowedRunStream(FollowedRuns runs, CallerThread thread, UUID run, long position, StreamConnection client,
            Consumer<ResponseStream> onClose) {
        super(client, EventStream.HEARTBEAT, onClose);
        this.runs = runs;
        this.thread = thread;
        this.run = run;
        this.position = position;
    }

    @Override
    public void start() {
        client().head("text/event-stream", ThreadRunLookup.path(thread, run)).putHeader("X-Accel-Buffering", "no");
        client().write(event("metadata", Json.bytes(JsonNodeFactory.instance.objectNode().put("run_id", run.toString()))));
        follow();
        read();
    }

    @Override
    Buffer refusal(String reason) {
        return error(RunError.accessRefused(reason));
    }

    @Override
    void cancel() {
        cancel(reading);
        cancel(following);
    }

    private static void cancel(@Nullable Future<?> work) {
        if (work != null) {
            work.cancel(false);
        }
    }

    private void read() {
        if (isClosed() || client().isFull(this::read)) {
            return;
        }
        then(runs.events(thread, run, position), this::send);
    }

    /** Asks for the events also while the client does not read: otherwise the replica would stop storing them. */
    private void follow() {
        if (!isClosed()) {
            CompletableFuture<Void> pending = runs.follow(thread, run, FOLLOWED).subscribeAsCompletionStage();
            following = pending;
            pending.whenComplete((ignored, failure) -> client().runAfter(FOLLOW_MILLIS, this::follow));
        }
    }

    private void send(EventChunks stored) {
        stored.chunks().forEach(this::send);
        if (stored.complete()) {
            then(runs.awaitEnd(thread, run), end -> finish(last(end)));
        } else if (stored.chunks().isEmpty()) {
            client().runAfter(waitMillis, this::read);
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
            client().write(events);
        }
    }

    /** Returns the number in the id of an event, which is its last line. */
    private static long number(String event) {
        return Long.parseLong(event.substring(event.lastIndexOf(':') + 1).strip());
    }

    private <T> void then(Uni<T> result, Consumer<T> next) {
        CompletableFuture<T> pending = result.subscribeAsCompletionStage();
        reading = pending;
        pending.whenComplete((item, failure) -> client().run(() -> {
            if (isClosed()) {
                return;
            }
            if (failure == null) {
                next.accept(item);
            } else {
                finish(error(RunError.unknownResult(failure)));
            }
        }));
    }

    private static Buffer last(Run.End end) {
        RunError error = end.status() == RunStatus.INTERRUPTED ? RunError.CANCELLED : end.error();
        return error != null ? error(error)
                : event("values", Json.bytes(Result.body(end)))
                        .appendBuffer(event("end", Json.bytes(JsonNodeFactory.instance.nullNode())));
    }

    private static Buffer error(RunError error) {
        return event("error", Json.bytes(error.toJson()));
    }

    /** Returns an event without an id: clients resume after the last event of the run's replica. */
    private static Buffer event(String name, byte[] data) {
        return Buffer.buffer("event: " + name + "\ndata: ").appendBytes(data).appendString("\n\n");
    }
}
