package dev.waybill.runtime.stream;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.event.EventLog;
import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunError;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * Streams a run's events to one client with backpressure: reads from the run's log only while the connection's write
 * queue has
 * space. All work happens on the connection's event loop.
 */
final class EventStream implements ResponseStream {

    private static final int BATCH = 16 << 10;
    // Without an empty line, which some clients would treat as an event.
    static final String HEARTBEAT = ": heartbeat\n";

    private final Run run;
    private final StreamConnection client;
    private final AtomicBoolean sendScheduled = new AtomicBoolean();
    private final Function<Runnable, EventLog.Cursor> open;
    private final Consumer<ResponseStream> onClose;
    private final @Nullable FirstEventDelay first;
    private EventLog.@Nullable Cursor cursor;
    private volatile boolean written;
    private boolean closed;

    /**
     * @param open opens the run's log at the first event to send
     * @param first delays the first event; null to send it immediately
     * @param onClose called once, when all events were sent or the client has disconnected
     */
    EventStream(Run run, StreamConnection client, Function<Runnable, EventLog.Cursor> open, @Nullable FirstEventDelay first,
            Consumer<ResponseStream> onClose) {
        this.run = run;
        this.client = client;
        this.open = open;
        this.first = first;
        this.onClose = onClose;
    }

    @Override
    public void start() {
        cursor = open.apply(this::scheduleSend);
        HttpServerResponse head = client.head("text/event-stream", run.path()).putHeader("X-Accel-Buffering", "no");
        if (run.request().resumable()) {
            head.putHeader("Location", run.path() + "/stream");
        }
        if (first == null) {
            scheduleSend();
        } else {
            first.delay(this);
        }
    }

    boolean hasWritten() {
        return written;
    }

    /** Sends the available events if none was sent yet. */
    void flush() {
        if (!written) {
            scheduleSend();
        }
    }

    @Override
    public StreamConnection client() {
        return client;
    }

    @Override
    public void sendHeartbeat() {
        client.run(() -> {
            if (!closed && !client.isFull()) {
                client.write(Buffer.buffer(HEARTBEAT));
            }
        });
    }

    @Override
    public void terminate(String reason) {
        client.run(() -> {
            EventLog.Cursor reader = cursor;
            if (!closed && reader != null) {
                client.end(run.log().finalEvent(reader, "error", Json.bytes(RunError.accessRefused(reason).toJson())));
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
                run.releaseCredit(run.log().close(reader));
            }
            onClose.accept(this);
        }
    }

    private void scheduleSend() {
        if (sendScheduled.compareAndSet(false, true)) {
            client.run(() -> {
                sendScheduled.set(false);
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
            written = true;
            EventLog.Batch batch = run.log().poll(reader, BATCH);
            run.releaseCredit(batch.released());
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

    /**
     * Delays the first event of a stream, which only carries the run's id, for a moment, so that it leaves in one
     * packet with the
     * second
     * if the worker is fast. One timer serves all streams.
     */
    static final class FirstEventDelay {

        private static final long MAX_DELAY_MILLIS = 10;

        private final Vertx vertx;
        private final Queue<DelayedStream> delayed = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean armed = new AtomicBoolean();

        FirstEventDelay(Vertx vertx) {
            this.vertx = vertx;
        }

        /** @param since by {@link System#nanoTime} */
        private record DelayedStream(EventStream stream, long since) {

            long remainingMillis(long now) {
                return MAX_DELAY_MILLIS - TimeUnit.NANOSECONDS.toMillis(now - since);
            }

            /** Returns whether the stream was flushed meanwhile or its delay is over. */
            boolean isDue(long now) {
                return stream.hasWritten() || remainingMillis(now) <= 0;
            }
        }

        /** Flushes the stream after the delay, unless it was flushed before. */
        void delay(EventStream stream) {
            delayed.add(new DelayedStream(stream, System.nanoTime()));
            arm(MAX_DELAY_MILLIS);
        }

        private void arm(long millis) {
            if (armed.compareAndSet(false, true)) {
                vertx.setTimer(Math.max(1, millis), ignored -> release());
            }
        }

        private void release() {
            long now = System.nanoTime();
            DelayedStream first = delayed.peek();
            while (first != null && first.isDue(now)) {
                delayed.remove(first);
                first.stream().flush();
                first = delayed.peek();
            }
            armed.set(false);
            // Covers streams that were added while this timer was still armed.
            DelayedStream next = delayed.peek();
            if (next != null) {
                arm(next.remainingMillis(now));
            }
        }
    }
}
