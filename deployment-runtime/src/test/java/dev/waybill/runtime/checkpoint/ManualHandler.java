package dev.waybill.runtime.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import dev.waybill.runtime.protocol.CheckpointTuple;
import dev.waybill.runtime.protocol.RequestParams.BlobRead;
import dev.waybill.runtime.protocol.RequestParams.CheckpointGet;
import dev.waybill.runtime.protocol.RequestParams.CheckpointPut;
import dev.waybill.runtime.protocol.RequestParams.CheckpointQuery;
import dev.waybill.runtime.protocol.RequestParams.CheckpointWrite;
import dev.waybill.runtime.protocol.RequestParams.StoreBatch;
import dev.waybill.runtime.protocol.RequestParams.WritesPut;
import dev.waybill.runtime.protocol.StoreOperation.Outcome;

/** Completes its calls when the test demands it. */
final class ManualHandler implements RequestHandler {

    final List<String> calls = new ArrayList<>();
    private final List<CompletableFuture<Object>> stages = new ArrayList<>();
    private final List<Object> results = new ArrayList<>();

    void complete(int call) {
        stages.get(call).complete(results.get(call));
    }

    void fail(int call, Exception failure) {
        stages.get(call).completeExceptionally(failure);
    }

    @SuppressWarnings("unchecked")
    private <T> CompletionStage<T> call(String name, Object result) {
        calls.add(name);
        results.add(result);
        stages.add(new CompletableFuture<>());
        return (CompletionStage<T>) stages.getLast();
    }

    @Override
    public CompletionStage<Void> store(List<CheckpointWrite> writes) {
        return call(writes.stream().map(ManualHandler::name).collect(Collectors.joining("+")), null);
    }

    private static String name(CheckpointWrite write) {
        return switch (write) {
            case CheckpointPut put -> "put";
            case WritesPut put -> put.task();
        };
    }

    @Override
    public void storeAtEnd(List<CheckpointWrite> writes) {
        calls.add("last " + writes.stream().map(ManualHandler::name).collect(Collectors.joining("+")));
    }

    @Override
    public CompletionStage<Void> deleteCheckpoints() {
        return call("delete", null);
    }

    @Override
    public CompletionStage<Optional<CheckpointTuple>> get(CheckpointGet query, InlineLimits limits) {
        return call("get", Optional.empty());
    }

    @Override
    public CompletionStage<CheckpointTuple.Page> list(CheckpointQuery query, InlineLimits limits) {
        return call("list", new CheckpointTuple.Page(List.of(), List.of(), null));
    }

    @Override
    public CompletionStage<byte[]> read(BlobRead read, int maxBytes) {
        return call("read", new byte[0]);
    }

    @Override
    public CompletionStage<List<Outcome>> execute(StoreBatch batch, InlineLimits limits) {
        return call("store", List.of());
    }
}
