package dev.waybill.runtime.protocol;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A stored checkpoint, as a worker receives it.
 *
 * @param checkpoint the checkpoint without channel values
 * @param metadata JSON object
 * @param versions versions of all channels
 * @param blobs values of these versions; in a page they are those of the page
 * @param writes writes of tasks, ordered by task and index
 */
public record CheckpointTuple(String namespace, UUID id, @Nullable UUID parent, SerializedValue checkpoint, byte[] metadata,
        Map<String, String> versions, List<ChannelBlob> blobs, List<TaskWrite> writes) {

    /** The value of one version of a channel. */
    public record ChannelBlob(String channel, String version, SerializedValue value) {
    }

    /** A write of a task to a channel. */
    public record TaskWrite(String task, int index, String channel, SerializedValue value) {
    }

    /**
     * A page of checkpoints, newest first.
     *
     * @param blobs each version of a channel once
     * @param next id before which the next page begins; null for the last page
     */
    public record Page(List<CheckpointTuple> tuples, List<ChannelBlob> blobs, @Nullable UUID next) {
    }
}
