package dev.waybill.runtime.checkpoint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.waybill.runtime.protocol.CheckpointTuple;
import dev.waybill.runtime.protocol.CheckpointTuple.TaskWrite;
import dev.waybill.runtime.protocol.RequestParams.BlobRead;
import dev.waybill.runtime.protocol.RequestParams.CheckpointGet;
import dev.waybill.runtime.protocol.RequestParams.CheckpointPut;
import dev.waybill.runtime.protocol.RequestParams.CheckpointQuery;
import dev.waybill.runtime.protocol.RequestParams.CheckpointWrite;
import dev.waybill.runtime.protocol.RequestParams.StoreBatch;
import dev.waybill.runtime.protocol.RequestParams.WritesPut;
import dev.waybill.runtime.protocol.SerializedValue;
import dev.waybill.runtime.protocol.StoreOperation.Outcome;

/** Stores the checkpoints of one run in memory, on a thread of its own, and records its calls. */
public final class RecordingHandler implements RequestHandler, AutoCloseable {

    /** A task whose writes are never stored. */
    private static final String NEVER_STORED = "never-stored";

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final List<String> calls = new ArrayList<>();
    private final Map<UUID, CheckpointPut> checkpoints = new LinkedHashMap<>();
    private final List<TaskWrite> writes = new ArrayList<>();

    /** Returns the names of the calls in their order. */
    public List<String> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    private void record(String call) {
        synchronized (calls) {
            calls.add(call);
        }
    }

    @Override
    public CompletionStage<Void> store(List<CheckpointWrite> writes) {
        CompletableFuture<?>[] stages = writes.stream().map(write -> switch (write) {
            case CheckpointPut put -> put(put);
            case WritesPut put -> putWrites(put);
        }).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(stages);
    }

    private CompletableFuture<Void> put(CheckpointPut put) {
        record("put " + put.versions());
        return CompletableFuture.runAsync(() -> checkpoints.put(put.id(), put), thread);
    }

    private CompletableFuture<Void> putWrites(WritesPut put) {
        record("putWrites " + put.task());
        if (put.task().equals(NEVER_STORED)) {
            return new CompletableFuture<>();
        }
        return CompletableFuture.runAsync(() -> put.writes().forEach(
                write -> writes.add(new TaskWrite(put.task(), write.index(), write.channel(), write.value()))), thread);
    }

    @Override
    public void storeAtEnd(List<CheckpointWrite> writes) {
        record("last " + writes.size());
    }

    @Override
    public CompletionStage<Void> deleteCheckpoints() {
        record("delete");
        return CompletableFuture.runAsync(checkpoints::clear, thread);
    }

    @Override
    public CompletionStage<Optional<CheckpointTuple>> get(CheckpointGet query, InlineLimits limits) {
        record("get");
        return CompletableFuture.supplyAsync(() -> Optional.ofNullable(query.id() == null
                ? checkpoints.isEmpty() ? null : List.copyOf(checkpoints.values()).getLast()
                : checkpoints.get(query.id())).map(put -> tuple(put, limits)), thread);
    }

    private CheckpointTuple tuple(CheckpointPut put, InlineLimits limits) {
        return new CheckpointTuple(put.namespace(), put.id(), put.parent(), put.checkpoint(), put.metadata(), put.versions(),
                put.blobs().stream().map(blob -> blob.value().size() <= limits.valueBytes() ? blob
                        : new CheckpointTuple.ChannelBlob(blob.channel(), blob.version(), SerializedValue
                                .reference(blob.value().type(), put.id() + "/" + blob.channel(), blob.value().size())))
                        .toList(),
                List.copyOf(writes));
    }

    @Override
    public CompletionStage<CheckpointTuple.Page> list(CheckpointQuery query, InlineLimits limits) {
        record("list");
        return CompletableFuture.supplyAsync(() -> new CheckpointTuple.Page(
                checkpoints.values().stream().map(put -> tuple(put, limits)).toList(), List.of(), null), thread);
    }

    @Override
    public CompletionStage<byte[]> read(BlobRead read, int maxBytes) {
        record("read " + read.offset());
        return CompletableFuture.supplyAsync(() -> {
            String[] names = read.reference().split("/");
            byte[] bytes = checkpoints.get(UUID.fromString(names[0])).blobs().stream()
                    .filter(blob -> blob.channel().equals(names[1])).findFirst().orElseThrow().value().bytes();
            return Arrays.copyOfRange(bytes, read.offset(), Math.min(bytes.length, read.offset() + maxBytes));
        }, thread);
    }

    @Override
    public CompletionStage<List<Outcome>> execute(StoreBatch batch, InlineLimits limits) {
        record("store");
        return CompletableFuture.supplyAsync(
                () -> batch.operations().stream().map(operation -> (Outcome) new Outcome.None()).toList(), thread);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
