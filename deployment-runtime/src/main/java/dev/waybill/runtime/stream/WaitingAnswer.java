package dev.waybill.runtime.stream;

import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunError;
import dev.waybill.runtime.run.RunErrors;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * The answer to {@code POST /runs/wait}: the run's last values, or its error as a member, when it has ended. Until then a new
 * line now and then, which is nothing to JSON and keeps proxies from closing.
 */
final class WaitingAnswer implements Heartbeats.Beating {

    private static final Buffer HEARTBEAT = Buffer.buffer("\n");

    private final HttpServerResponse response;
    private final Context context;
    private final Consumer<Heartbeats.Beating> over;
    private volatile long lastWrite = System.nanoTime();
    private boolean closed;

    WaitingAnswer(RoutingContext request, Vertx vertx, Consumer<Heartbeats.Beating> over) {
        this.response = request.response();
        this.context = vertx.getOrCreateContext();
        this.over = over;
    }

    void begin(Run run) {
        response.setStatusCode(200)
                .putHeader("Content-Type", "application/json")
                .putHeader("Cache-Control", "no-store")
                .putHeader("Content-Location", run.path())
                .setChunked(true);
        run.whenEnded(end -> context.runOnContext(ignored -> finish(end)));
    }

    @Override
    public long lastWrite() {
        return lastWrite;
    }

    @Override
    public void beat() {
        context.runOnContext(ignored -> {
            if (!closed) {
                lastWrite = System.nanoTime();
                response.write(HEARTBEAT);
            }
        });
    }

    /** The connection is gone, or the answer whole. */
    void close() {
        if (!closed) {
            closed = true;
            over.accept(this);
        }
    }

    private void finish(Run.End end) {
        if (!closed) {
            response.end(Buffer.buffer(Json.bytes(body(end))));
            close();
        }
    }

    private static JsonNode body(Run.End end) {
        RunError error = end.error();
        if (error != null) {
            return JsonNodeFactory.instance.objectNode().set("__error__", RunErrors.json(error));
        }
        JsonNode values = end.values();
        return values == null || values.isMissingNode() ? JsonNodeFactory.instance.nullNode() : values;
    }
}
