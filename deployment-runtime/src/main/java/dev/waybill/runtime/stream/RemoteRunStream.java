package dev.waybill.runtime.stream;

import java.util.function.Consumer;

import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.RunError;
import io.vertx.core.buffer.Buffer;

/**
 * A response about runs that this replica may not execute. Methods are called on the connection's event loop, except
 * {@link #sendHeartbeat} and {@link #terminate}.
 */
abstract class RemoteRunStream implements ResponseStream {

    private final StreamConnection client;
    private final String heartbeat;
    private final Consumer<ResponseStream> onClose;
    private boolean closed;

    /** @param onClose called once, when the response is complete or the client has disconnected */
    RemoteRunStream(StreamConnection client, String heartbeat, Consumer<ResponseStream> onClose) {
        this.client = client;
        this.heartbeat = heartbeat;
        this.onClose = onClose;
    }

    /** Returns the end of a response whose client may not read it any more. */
    abstract Buffer refusal(String reason);

    /** Cancels what the response waits for. */
    abstract void cancel();

    @Override
    public final StreamConnection client() {
        return client;
    }

    @Override
    public final void sendHeartbeat() {
        client.run(() -> {
            if (!closed && !client.isFull()) {
                client.write(Buffer.buffer(heartbeat));
            }
        });
    }

    @Override
    public final void terminate(String reason) {
        client.run(() -> finish(refusal(reason)));
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            cancel();
            onClose.accept(this);
        }
    }

    final boolean isClosed() {
        return closed;
    }

    final void finish(Buffer last) {
        if (!closed) {
            client.end(last);
            close();
        }
    }

    static Buffer error(RunError error) {
        return event("error", Json.bytes(error.toJson()));
    }

    /** Returns an event without an id: clients resume after the last event of the run's replica. */
    static Buffer event(String name, byte[] data) {
        return Buffer.buffer("event: " + name + "\ndata: ").appendBytes(data).appendString("\n\n");
    }
}
