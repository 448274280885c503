package dev.waybill.runtime.stream;

import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunError;
import dev.waybill.runtime.run.RunErrors;
import io.vertx.core.buffer.Buffer;

/**
 * The answer to {@code POST /runs/wait}: the run's last values, or its error as a member, when it has ended. Until then a new
 * line now and then, which is nothing to JSON and keeps proxies from closing.
 */
final class WaitingAnswer implements LastingAnswer {

    private static final String HEARTBEAT = "\n";

    private final Run run;
    private final ClientConnection client;
    private final Runnable ready;
    private final Consumer<LastingAnswer> over;
    private boolean closed;

    /**
     * @param ready called when the run may begin
     * @param over called once, when the client has everything or is gone
     */
    WaitingAnswer(Run run, ClientConnection client, Runnable ready, Consumer<LastingAnswer> over) {
        this.run = run;
        this.client = client;
        this.ready = ready;
        this.over = over;
    }

    @Override
    public void begin() {
        client.head("application/json", run.path());
        run.whenEnded(end -> client.run(() -> finish(bytes(end))));
        ready.run();
    }

    @Override
    public ClientConnection client() {
        return client;
    }

    @Override
    public void beat() {
        client.run(() -> {
            if (!closed) {
                client.write(Buffer.buffer(HEARTBEAT));
            }
        });
    }

    @Override
    public void refused(String reason) {
        client.run(() -> finish(Json.bytes(failure(RunErrors.refused(reason)))));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            over.accept(this);
        }
    }

    private void finish(byte[] body) {
        if (!closed) {
            client.end(Buffer.buffer(body));
            close();
        }
    }

    private static JsonNode failure(RunError error) {
        return JsonNodeFactory.instance.objectNode().set("__error__", RunErrors.json(error));
    }

    private static byte[] bytes(Run.End end) {
        return Json.bytes(body(end));
    }

    private static JsonNode body(Run.End end) {
        RunError error = end.error();
        if (error != null) {
            return failure(error);
        }
        JsonNode values = end.values();
        return values == null || values.isMissingNode() ? JsonNodeFactory.instance.nullNode() : values;
    }
}
