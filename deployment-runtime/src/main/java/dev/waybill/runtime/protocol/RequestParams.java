package dev.waybill.runtime.protocol;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.protocol.CheckpointTuple.ChannelBlob;

/** Validated params of a request of a worker (docs/worker-protocol-threads.md). JSON members are UTF-8 on one line. */
public sealed interface RequestParams {

    /** Stores a part of a thread's checkpoints. */
    sealed interface CheckpointWrite extends RequestParams {
    }

    /** Stores checkpoints and writes in their order. */
    record CheckpointBatch(List<CheckpointWrite> operations) implements RequestParams {
    }

    /**
     * Stores a checkpoint.
     *
     * @param checkpoint the checkpoint without channel values
     * @param metadata JSON object
     * @param versions versions of all channels
     * @param blobs values of the versions that are new
     */
    record CheckpointPut(String namespace, UUID id, @Nullable UUID parent, SerializedValue checkpoint, byte[] metadata,
            Map<String, String> versions, List<ChannelBlob> blobs) implements CheckpointWrite {
    }

    /** Stores the writes of a task of a checkpoint. */
    record WritesPut(String namespace, UUID id, String task, String path, List<ChannelWrite> writes)
            implements
                CheckpointWrite {
    }

    /** A write to a channel; an index below zero replaces an earlier write. */
    record ChannelWrite(int index, String channel, SerializedValue value) {
    }

    /** Requests a checkpoint; without an id, the newest. */
    record CheckpointGet(String namespace, @Nullable UUID id) implements RequestParams {
    }

    /**
     * Requests checkpoints, newest first.
     *
     * @param namespace null for all
     * @param before id before which the page begins
     * @param filter JSON object whose members the metadata must equal
     */
    record CheckpointQuery(@Nullable String namespace, @Nullable UUID id, @Nullable UUID before, int limit,
            byte @Nullable [] filter) implements RequestParams {
    }

    /** Deletes all checkpoints of the thread. */
    record CheckpointsDelete() implements RequestParams {
    }

    /**
     * A part of a value of a message that follows.
     *
     * @param message number of the message in its run
     * @param total size of all values of the message that are sent in parts
     * @param part number of the value in the message
     * @param size size of the value
     */
    record BlobPart(long message, int total, int part, int size, byte[] bytes) implements RequestParams {
    }

    /**
     * A part of the result of a request of the runtime.
     *
     * @param request number of that request
     * @param total size of the result
     * @param part number of the part
     * @param bytes text in UTF-8
     */
    record ResultPart(long request, int total, int part, byte[] bytes) implements RequestParams {
    }

    /** Requests bytes of a value that was returned as a reference. */
    record BlobRead(String reference, int offset) implements RequestParams {
    }

    /** Executes operations of the store. */
    record StoreBatch(List<StoreOperation> operations) implements RequestParams {
    }
}
