package dev.waybill.runtime.checkpoint;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.waybill.runtime.protocol.CheckpointTuple;
import dev.waybill.runtime.protocol.CheckpointTuple.ChannelBlob;
import dev.waybill.runtime.protocol.RequestException;
import dev.waybill.runtime.protocol.RequestException.Code;
import dev.waybill.runtime.protocol.RequestParams.CheckpointPut;

/**
 * Sizes of the channel versions of a run's checkpoints, from those that it stored and read. Versions that the run has neither
 * stored nor read count as empty, so the storage may enforce the limit more strictly.
 */
final class StateSize {

    private final int max;
    /** Sizes by channel and version, for each namespace. */
    private final Map<String, Map<Version, Integer>> sizes = new HashMap<>();

    /** A version of a channel. */
    private record Version(String channel, String version) {
    }

    StateSize(int max) {
        this.max = max;
    }

    /** Records the sizes of a checkpoint that the worker reads. */
    synchronized void read(CheckpointTuple tuple) {
        record(sizes.computeIfAbsent(tuple.namespace(), ignored -> new HashMap<>()), tuple.blobs());
    }

    /** Records the sizes of a checkpoint; fails if its values exceed the limit. */
    synchronized void require(CheckpointPut put) {
        Map<Version, Integer> known = sizes.computeIfAbsent(put.namespace(), ignored -> new HashMap<>());
        record(known, put.blobs());
        Map<Version, Integer> current = new HashMap<>();
        long total = put.checkpoint().size();
        for (Map.Entry<String, String> channel : put.versions().entrySet()) {
            Version version = new Version(channel.getKey(), channel.getValue());
            Integer size = known.get(version);
            if (size != null) {
                current.put(version, size);
                total += size;
            }
        }
        if (total > max) {
            throw new RequestException(Code.STATE_TOO_LARGE,
                    "The state has " + total + " bytes; the limit is " + max
                            + ". Store large values elsewhere and refer to them.");
        }
        // Versions of earlier checkpoints are needed again by forks only, which read their checkpoint first.
        sizes.put(put.namespace(), current);
    }

    private static void record(Map<Version, Integer> known, List<ChannelBlob> blobs) {
        for (ChannelBlob blob : blobs) {
            known.put(new Version(blob.channel(), blob.version()), blob.value().size());
        }
    }
}
