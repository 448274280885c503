package dev.waybill.runtime.stream;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.event.Json;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunError;
import dev.waybill.runtime.stream.ResultStream.Result;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;

/** Response with the values of a run that this replica does not execute: line feeds until its end is stored. */
final class StoredResultStream implements ResponseStream {

    private final StreamConnection client;
    private final String path;
    private final Uni<Run.End> end;
    private final Consumer<ResponseStream> onClose;
    private @Nullable Future<?> waiting;
    private boolean closed;

    /** @param end completes at the end of the run */
    StoredResultStream(String path, Uni<Run.End> end, StreamConnection client, Consumer<ResponseStream> onClose) {
        this.path = path;
        this.end = end;
        this.client = client;
        this.onClose = onClose;
    }

    @Override
    public void start() {
        client.head("application/json", path);
        CompletableFuture<Run.End> pending = end.subscribeAsCompletionStage();
        waiting = pending;
        pending.whenComplete((result, failure) -> {
            if (!pending.isCancelled()) {
                finish(Json.bytes(failure == null ? Result.body(result) : RunError.unknownResult(failure).toResult()));
            }
        });
    }

    @Override
    public StreamConnection client() {
        return client;
    }

    @Override
    public void sendHeartbeat() {
        client.run(() -> {
            if (!closed && !client.isFull()) {
                client.write(Buffer.buffer(ResultStream.HEARTBEAT));
            }
        });
    }

    @Override
    public void terminate(String reason) {
        finish(Json.bytes(RunError.accessRefused(reason).toResult()));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Future<?> current = waiting;
            if (current != null) {
                current.cancel(false);
            }
            onClose.accept(this);
        }
    }

    private void finish(byte[] body) {
        client.run(() -> {
            if (!closed) {
                client.end(Buffer.buffer(body));
                close();
            }
        });
    }
}
