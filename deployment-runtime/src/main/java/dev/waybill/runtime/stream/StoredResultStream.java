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
final class StoredResultStream extends RemoteRunStream {

    private final String path;
    private final Uni<Run.End> end;
    private @Nullable Future<?> waiting;

    /** @param end completes at the end of the run */
    StoredResultStream(String path, Uni<Run.End> end, StreamConnection client, Consumer<ResponseStream> onClose) {
        super(client, ResultStream.HEARTBEAT, onClose);
        this.path = path;
        this.end = end;
    }

    @Override
    public void start() {
        client().head("application/json", path);
        CompletableFuture<Run.End> pending = end.subscribeAsCompletionStage();
        waiting = pending;
        pending.whenComplete((result, failure) -> {
            if (!pending.isCancelled()) {
                byte[] body = Json.bytes(failure == null ? Result.body(result) : RunError.unknownResult(failure).toResult());
                client().run(() -> finish(Buffer.buffer(body)));
            }
        });
    }

    @Override
    Buffer refusal(String reason) {
        return Buffer.buffer(Json.bytes(RunError.accessRefused(reason).toResult()));
    }

    @Override
    void cancel() {
        Future<?> current = waiting;
        if (current != null) {
            current.cancel(false);
        }
    }
}
