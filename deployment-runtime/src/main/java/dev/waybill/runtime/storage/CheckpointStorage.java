package dev.waybill.runtime.storage;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;

/**
 * Checkpoints of threads, as workers write them. Values are opaque bytes with the type that the worker's serializer returned.
 * The newest checkpoint of a namespace is the one with the greatest id.
 */
public interface CheckpointStorage {

    /** Values up to this size are part of results; larger ones are read in ranges. */
    int INLINE_BYTES = 256 << 10;

    /**
     * Stores checkpoints with the new versions of their channels, and writes of tasks, in their order and in one transaction.
     * The same id of a checkpoint again replaces body, metadata and versions of the same run; a version that exists is kept.
     * Writes with a negative index (error, interrupt, resume) replace earlier ones of the run, others are kept if they exist.
     */
    Uni<Void> store(RunFence fence, List<Change> changes);

    /** Stores a checkpoint and the new versions of its channels. */
    default Uni<Void> put(RunFence fence, NewCheckpoint checkpoint) {
        return store(fence, List.of(checkpoint));
    }

    /** Stores writes of a task. */
    default Uni<Void> putWrites(RunFence fence, NewWrites writes) {
        return store(fence, List.of(writes));
    }

    /** Returns a checkpoint with its values and writes; without an id the newest one. */
    Uni<Optional<StoredCheckpoint>> get(ThreadKey thread, String namespace, @Nullable UUID id);

    /** Returns a page of checkpoints, newest first. */
    Uni<CheckpointPage> list(ThreadKey thread, CheckpointFilter filter);

    /** Returns a range of a value, shorter at its end; empty if the thread has no such value. */
    Uni<Optional<byte[]>> read(ThreadKey thread, ValueKey value, int offset, int length);

    /** Deletes all checkpoints of the thread. */
    Uni<Void> deleteOfThread(RunFence fence);

    /** Deletes all but the newest checkpoints of each namespace of a thread without active runs; returns their number. */
    Uni<Integer> prune(ThreadKey thread, int keep);

    /**
     * A serialized value.
     *
     * @param bytes null for a channel whose value was removed
     */
    record NewValue(String type, byte @Nullable [] bytes) {

        /** Returns the number of bytes. */
        public int size() {
            return bytes == null ? 0 : bytes.length;
        }
    }

    /** A part of a thread's checkpoints that a run stores. */
    sealed interface Change {

        /** Returns the size of its values. */
        long bytes();
    }

    /** A new version of a channel. */
    record NewBlob(String channel, String version, NewValue value) {
    }

    /**
     * A checkpoint to store.
     *
     * @param body the checkpoint without the values of its channels
     * @param metadata a JSON object
     * @param versions versions of all channels that have one
     * @param blobs the versions that are new
     */
    record NewCheckpoint(String namespace, UUID id, @Nullable UUID parent, NewValue body, String metadata,
            Map<String, String> versions, List<NewBlob> blobs) implements Change {

        @Override
        public long bytes() {
            return body.size() + blobs.stream().mapToLong(blob -> blob.value().size()).sum();
        }
    }

    /** A write of a task. */
    record NewWrite(int index, String channel, NewValue value) {
    }

    /** Writes of one task for the step after a checkpoint. */
    record NewWrites(String namespace, UUID checkpoint, String task, String path, List<NewWrite> writes) implements Change {

        @Override
        public long bytes() {
            return writes.stream().mapToLong(write -> write.value().size()).sum();
        }
    }

    /** Key of a value of a thread. */
    sealed interface ValueKey {

        /** A version of a channel. */
        record OfBlob(String namespace, String channel, String version) implements ValueKey {
        }

        /** A write of a task. */
        record OfWrite(String namespace, UUID checkpoint, String task, int index, UUID run) implements ValueKey {
        }
    }

    /**
     * A stored value.
     *
     * @param bytes null if the value is larger than {@link #INLINE_BYTES}, or was removed
     */
    record StoredValue(ValueKey key, String type, int size, byte @Nullable [] bytes) {
    }

    /** A stored version of a channel. */
    record StoredBlob(String channel, String version, StoredValue value) {
    }

    /** A stored write of a task. */
    record StoredWrite(String task, String path, int index, String channel, StoredValue value) {
    }

    /**
     * A stored checkpoint.
     *
     * @param blobs values of its channels; empty in pages, which contain them once
     * @param writes writes of tasks, ordered by task and index
     */
    record StoredCheckpoint(String namespace, UUID id, @Nullable UUID parent, UUID run, String type, byte[] body,
            String metadata, Map<String, String> versions, List<StoredBlob> blobs, List<StoredWrite> writes) {
    }

    /**
     * Selects checkpoints.
     *
     * @param namespace null: all
     * @param id the only checkpoint; null: all
     * @param before checkpoints with smaller ids; null: all
     * @param metadata object that the metadata must contain; null: any
     */
    record CheckpointFilter(@Nullable String namespace, @Nullable UUID id, @Nullable UUID before, @Nullable String metadata,
            int limit) {
    }

    /**
     * A page of checkpoints.
     *
     * @param blobs values of their channels, each version once
     * @param next the {@code before} of the next page; null at the end
     */
    record CheckpointPage(List<StoredCheckpoint> checkpoints, List<StoredBlob> blobs, @Nullable UUID next) {
    }
}
