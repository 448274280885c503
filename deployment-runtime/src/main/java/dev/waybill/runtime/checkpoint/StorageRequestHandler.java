package dev.waybill.runtime.checkpoint;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import dev.waybill.runtime.checkpoint.ValueReferences.InlineSpace;
import dev.waybill.runtime.checkpoint.ValueReferences.Reference;
import dev.waybill.runtime.protocol.CheckpointTuple;
import dev.waybill.runtime.protocol.RequestException;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.RequestParams.BlobRead;
import dev.waybill.runtime.protocol.RequestParams.CheckpointGet;
import dev.waybill.runtime.protocol.RequestParams.CheckpointPut;
import dev.waybill.runtime.protocol.RequestParams.CheckpointQuery;
import dev.waybill.runtime.protocol.RequestParams.CheckpointWrite;
import dev.waybill.runtime.protocol.RequestParams.StoreBatch;
import dev.waybill.runtime.protocol.RequestParams.WritesPut;
import dev.waybill.runtime.protocol.SerializedValue;
import dev.waybill.runtime.protocol.StoreOperation.Outcome;
import dev.waybill.runtime.storage.CheckpointStorage.Change;
import dev.waybill.runtime.storage.CheckpointStorage.CheckpointFilter;
import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrite;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrites;
import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.ItemStorage.ItemOperation;
import dev.waybill.runtime.storage.ItemStorage.ItemResult;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.ThreadKey;
import io.smallrye.mutiny.Uni;

/** Executes the requests of one run, or of one request for a thread's state, with the storage. */
final class StorageRequestHandler implements RequestHandler {

    /** The values of a page are in memory at the same time. */
    private static final int MAX_PAGE = 32;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Storage storage;
    private final OpenScope opened;
    private final RequestScope scope;
    private final ValueReferences references = new ValueReferences();
    private final NewestCheckpoints newest;

    StorageRequestHandler(Storage storage, OpenScope opened) {
        this.storage = storage;
        this.opened = opened;
        this.scope = opened.scope();
        this.newest = opened.newest();
    }

    @Override
    public CompletionStage<Void> store(List<CheckpointWrite> writes) {
        List<Change> changes = changes(writes);
        return stage(newest.stored(changes, storage.checkpoints().store(fence(), changes)));
    }

    @Override
    public void storeAtEnd(List<CheckpointWrite> writes) {
        if (!scope.storesAtEnd()) {
            throw new RequestException(Code.INVALID_PARAMS, "Only a run may send last checkpoints.");
        }
        opened.storeAtEnd(changes(writes));
    }

    private static List<Change> changes(List<CheckpointWrite> writes) {
        return writes.stream().map(StorageRequestHandler::change).toList();
    }

    private static Change change(CheckpointWrite write) {
        return switch (write) {
            case CheckpointPut put -> new NewCheckpoint(put.namespace(), put.id(), put.parent(), value(put.checkpoint()),
                    new String(put.metadata(), StandardCharsets.UTF_8), put.versions(), put.blobs().stream()
                            .map(blob -> new NewBlob(blob.channel(), blob.version(), value(blob.value()))).toList());
            case WritesPut put -> new NewWrites(put.namespace(), put.id(), put.task(), put.path(), put.writes().stream()
                    .map(value -> new NewWrite(value.index(), value.channel(), value(value.value()))).toList());
        };
    }

    private static NewValue value(SerializedValue value) {
        return new NewValue(value.type(), value.bytes());
    }

    @Override
    public CompletionStage<Void> deleteCheckpoints() {
        return stage(newest.stored(List.of(), storage.checkpoints().deleteOfThread(fence())));
    }

    @Override
    public CompletionStage<Optional<CheckpointTuple>> get(CheckpointGet query, InlineLimits limits) {
        return stage(newest.find(query, () -> storage.checkpoints().get(thread(), query.namespace(), query.id()))
                .map(found -> found.map(new StoredTuples(references, new InlineSpace(limits))::tuple)));
    }

    @Override
    public CompletionStage<CheckpointTuple.Page> list(CheckpointQuery query, InlineLimits limits) {
        byte[] metadata = query.filter();
        CheckpointFilter filter = new CheckpointFilter(query.namespace(), query.id(), query.before(),
                metadata == null ? null : new String(metadata, StandardCharsets.UTF_8), Math.min(query.limit(), MAX_PAGE));
        return stage(storage.checkpoints().list(thread(), filter)
                .map(new StoredTuples(references, new InlineSpace(limits))::page));
    }

    @Override
    public CompletionStage<byte[]> read(BlobRead read, int maxBytes) {
        return stage(switch (references.find(read.reference())) {
            case Reference.OfThread value -> storage.checkpoints().read(thread(), value.key(), read.offset(), maxBytes)
                    .map(bytes -> bytes.orElseThrow(StorageRequestHandler::gone));
            case Reference.OfItem item -> storage.items()
                    .batch(scope.owner(), List.of(new ItemOperation.Get(item.namespace(), item.key(), false)))
                    .map(results -> range(unchanged(results.getFirst(), item), read.offset(), maxBytes));
        });
    }

    private static byte[] unchanged(ItemResult result, Reference.OfItem reference) {
        if (result instanceof ItemResult.Found found && found.item() != null
                && found.item().updatedAt().equals(reference.updatedAt())) {
            return found.item().value().getBytes(StandardCharsets.UTF_8);
        }
        throw gone();
    }

    private static byte[] range(byte[] bytes, int offset, int length) {
        int from = Math.min(offset, bytes.length);
        return Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + length));
    }

    private static RequestException gone() {
        return new RequestException(Code.INVALID_PARAMS, "The value was changed or deleted; read it again.");
    }

    @Override
    public CompletionStage<List<Outcome>> execute(StoreBatch batch, InlineLimits limits) {
        List<ItemOperation> operations = batch.operations().stream().map(StoredItems::operation).toList();
        StoredItems items = new StoredItems(references, new InlineSpace(limits));
        return stage(storage.items().batch(scope.owner(), operations)
                .map(results -> results.stream().map(items::outcome).toList()));
    }

    private ThreadKey thread() {
        ThreadKey thread = scope.thread();
        if (thread == null) {
            throw new RequestException(Code.RUN_ENDED, "The run has no thread.");
        }
        return thread;
    }

    private RunFence fence() {
        RunFence fence = scope.fence();
        if (fence == null) {
            throw new RequestException(Code.RUN_ENDED, "This request may not write checkpoints.");
        }
        return fence;
    }

    private static <T> CompletionStage<T> stage(Uni<T> result) {
        return result.onFailure().transform(StorageRequestHandler::translate).subscribeAsCompletionStage();
    }

    private static Throwable translate(Throwable failure) {
        return switch (failure) {
            case FenceLostException lost -> new RequestException(Code.FENCE_LOST,
                    "The run has ended, was taken over by another replica, or its thread was deleted.");
            case StorageException unavailable -> new RequestException(Code.STORAGE_UNAVAILABLE,
                    "The storage is unavailable.", RETRY_AFTER);
            default -> failure;
        };
    }
}
