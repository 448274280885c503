package dev.waybill.runtime.stream;

import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunError;
import io.vertx.core.buffer.Buffer;

/**
 * Response to {@code POST /runs/wait}: the run's final values, or its error as a member, at its end. Until then, line feeds,
 * which
 * are white space in JSON, keep proxies from closing the connection.
 */
final class ResultStream implements ResponseStream {

    static final String HEARTBEAT = "\n";

    private final Run run;
    private final StreamConnection client;
    private final Runnable ready;
    private final Result result;
    private final Consumer<ResponseStream> onClose;
    private boolean closed;

    /** Provides the body of the response at the end of the run. */
    interface Result {

        /** The values of the run itself, or its error. */
        Result OF_RUN = (end, send) -> send.accept(body(end));

        /** Sends the body, possibly later. */
        void send(Run.End end, Consumer<JsonNode> send);

        /** Returns the values of the run, or its error. */
        static JsonNode body(Run.End end) {
            RunError error = end.error();
            if (error != null) {
                return error.toResult();
            }
            JsonNode values = end.values();
            return values == null || values.isMissingNode() ? JsonNodeFactory.instance.nullNode() : values;
        }
    }

    /**
     * @param ready called when the run can be started
     * @param result provides the body
     * @param onClose called once, when the response is complete or the client has disconnected
     */
    ResultStream(Run run, StreamConnection client, Runnable ready, Result result, Consumer<ResponseStream> onClose) {
        this.run = run;
        this.client = client;
        this.ready = ready;
        this.result = result;
        this.onClose = onClose;
    }

    @Override
    public void start() {
        client.head("application/json", run.path());
        run.onEnd(end -> result.send(end, body -> client.run(() -> finish(Json.bytes(body)))));
        ready.run();
    }

    @Override
    public StreamConnection client() {
        return client;
    }

    @Override
    public void sendHeartbeat() {
        client.run(() -> {
            if (!closed) {
                client.write(Buffer.buffer(HEARTBEAT));
            }
        });
    }

    @Override
    public void terminate(String reason) {
        client.run(() -> finish(Json.bytes(RunError.accessRefused(reason).toResult())));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onClose.accept(this);
        }
    }

    private void finish(byte[] body) {
        if (!closed) {
            client.end(Buffer.buffer(body));
            close();
        }
    }
}
