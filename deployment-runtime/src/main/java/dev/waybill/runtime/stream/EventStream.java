package dev.waybill.runtime.stream;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.run.Run;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * A run's events on their way to one client, at the client's pace: nothing is taken from the run's log while the connection's
 * queue is full. Everything happens on the connection's event loop.
 */
final class EventStream implements Heartbeats.Beating {

    private static final int BATCH = 16 << 10;
    // Without an empty line: to some clients that would be an event.
    private static final Buffer HEARTBEAT = Buffer.buffer(": heartbeat\n");

    private final Run run;
    private final HttpServerResponse response;
    private final Context context;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Consumer<Heartbeats.Beating> over;
    private EventLog.@Nullable Cursor cursor;
    private volatile long lastWrite = System.nanoTime();
    private boolean closed;

    /** @param over called once, when the client has everything or is gone */
    EventStream(Run run, RoutingContext request, Vertx vertx, Consumer<Heartbeats.Beating> over) {
        this.run = run;
        this.response = request.response();
        this.context = vertx.getOrCreateContext();
        this.over = over;
    }

    /** Opens the answer and sends what there is; the head says where the run is found. */
    void begin(Function<Runnable, EventLog.Cursor> open) {
        cursor = open.apply(this::wake);
        response.setStatusCode(200)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Accel-Buffering", "no")
                .putHeader("Content-Location", run.path())
                .setChunked(true);
        if (run.request().resumable()) {
            response.putHeader("Location", run.path() + "/stream");
        }
        wake();
    }

    @Override
    public long lastWrite() {
        return lastWrite;
    }

    @Override
    public void beat() {
        context.runOnContext(ignored -> {
            if (!closed && !response.writeQueueFull()) {
                lastWrite = System.nanoTime();
                response.write(HEARTBEAT);
            }
        });
    }

    /** The connection is gone, or the answer whole. */
    void close() {
        if (!closed) {
            closed = true;
            EventLog.Cursor reader = cursor;
            if (reader != null) {
                run.consumed(run.log().close(reader));
            }
            over.accept(this);
        }
    }

    private void wake() {
        if (woken.compareAndSet(false, true)) {
            context.runOnContext(ignored -> {
                woken.set(false);
                send();
            });
        }
    }

    private void send() {
        EventLog.Cursor reader = cursor;
        while (!closed && reader != null) {
            if (response.writeQueueFull()) {
                response.drainHandler(ignored -> send());
                return;
            }
            EventLog.Batch batch = run.log().poll(reader, BATCH);
            run.consumed(batch.released());
            if (batch.bytes().length() > 0) {
                lastWrite = System.nanoTime();
                response.write(batch.bytes());
            }
            if (batch.finished()) {
                response.end();
                close();
                return;
            }
            if (batch.bytes().length() == 0) {
                return;
            }
        }
    }
}
