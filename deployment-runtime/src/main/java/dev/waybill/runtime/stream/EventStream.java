package dev.waybill.runtime.stream;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunErrors;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * A run's events on their way to one client, at the client's pace: nothing is taken from the run's log while the connection's
 * queue is full. Everything happens on the connection's event loop.
 */
final class EventStream implements LastingAnswer {

    private static final int BATCH = 16 << 10;
    // Without an empty line: to some clients that would be an event.
    private static final String HEARTBEAT = ": heartbeat\n";

    private final Run run;
    private final ClientConnection client;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Function<Runnable, EventLog.Cursor> open;
    private final Consumer<LastingAnswer> over;
    private final @Nullable FirstEvents first;
    private EventLog.@Nullable Cursor cursor;
    private volatile boolean spoke;
    private boolean closed;

    /**
     * @param open how to begin to read
     * @param first where its first event may wait for the second; null when it is not to wait
     * @param over called once, when the client has everything or is gone
     */
    EventStream(Run run, ClientConnection client, Function<Runnable, EventLog.Cursor> open, @Nullable FirstEvents first,
            Consumer<LastingAnswer> over) {
        this.run = run;
        this.client = client;
        this.open = open;
        this.first = first;
        this.over = over;
    }

    @Override
    public void begin() {
        cursor = open.apply(this::wake);
        HttpServerResponse head = client.head("text/event-stream", run.path()).putHeader("X-Accel-Buffering", "no");
        if (run.request().resumable()) {
            head.putHeader("Location", run.path() + "/stream");
        }
        if (first == null) {
            wake();
        } else {
            first.hold(this);
        }
    }

    boolean hasSpoken() {
        return spoke;
    }

    /** Sends what there is, if nothing was sent yet. */
    void speak() {
        if (!spoke) {
            wake();
        }
    }

    @Override
    public ClientConnection client() {
        return client;
    }

    @Override
    public void beat() {
        client.run(() -> {
            if (!closed && !client.isFull()) {
                client.write(Buffer.buffer(HEARTBEAT));
            }
        });
    }

    @Override
    public void refused(String reason) {
        client.run(() -> {
            EventLog.Cursor reader = cursor;
            if (!closed && reader != null) {
                client.end(run.log().lastWords(reader, "error", Json.bytes(RunErrors.json(RunErrors.refused(reason)))));
                close();
            }
        });
    }

    @Override
    public void close() {
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
            client.run(() -> {
                woken.set(false);
                send();
            });
        }
    }

    private void send() {
        EventLog.Cursor reader = cursor;
        while (!closed && reader != null) {
            if (client.isFull(this::send)) {
                return;
            }
            spoke = true;
            EventLog.Batch batch = run.log().poll(reader, BATCH);
            run.consumed(batch.released());
            if (batch.finished()) {
                client.end(batch.bytes());
                close();
                return;
            }
            if (batch.bytes().length() == 0) {
                return;
            }
            client.write(batch.bytes());
        }
    }
}
