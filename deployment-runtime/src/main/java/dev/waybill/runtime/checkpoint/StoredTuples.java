package dev.waybill.runtime.checkpoint;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.waybill.runtime.checkpoint.ValueReferences.InlineSpace;
import dev.waybill.runtime.checkpoint.ValueReferences.Reference;
import dev.waybill.runtime.protocol.CheckpointTuple;
import dev.waybill.runtime.protocol.CheckpointTuple.ChannelBlob;
import dev.waybill.runtime.protocol.CheckpointTuple.TaskWrite;
import dev.waybill.runtime.protocol.SerializedValue;
import dev.waybill.runtime.storage.CheckpointStorage.CheckpointPage;
import dev.waybill.runtime.storage.CheckpointStorage.StoredBlob;
import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.StoredValue;

/** Converts stored checkpoints to those that a worker receives, in one response. */
final class StoredTuples {

    private final ValueReferences references;
    private final InlineSpace space;

    StoredTuples(ValueReferences references, InlineSpace space) {
        this.references = references;
        this.space = space;
    }

    CheckpointTuple tuple(StoredCheckpoint stored) {
        space.takeAlways(sizeWithoutValues(stored));
        return convert(stored, stored.blobs());
    }

    /** Returns as much of a page as fits into the response, at least one checkpoint. */
    CheckpointTuple.Page page(CheckpointPage stored) {
        List<CheckpointTuple> tuples = new ArrayList<>();
        Set<Map.Entry<String, String>> versions = new HashSet<>();
        UUID next = stored.next();
        for (StoredCheckpoint checkpoint : stored.checkpoints()) {
            if (!space.takeAlways(sizeWithoutValues(checkpoint)) && !tuples.isEmpty()) {
                next = tuples.getLast().id();
                break;
            }
            tuples.add(convert(checkpoint, List.of()));
            versions.addAll(checkpoint.versions().entrySet());
        }
        List<StoredBlob> blobs = stored.blobs().stream()
                .filter(blob -> versions.contains(Map.entry(blob.channel(), blob.version()))).toList();
        return new CheckpointTuple.Page(tuples, blobs(blobs), next);
    }

    private static int sizeWithoutValues(StoredCheckpoint stored) {
        return stored.body().length + stored.metadata().length()
                + stored.versions().entrySet().stream().mapToInt(version -> version.getKey().length()
                        + version.getValue().length()).sum();
    }

    private CheckpointTuple convert(StoredCheckpoint stored, List<StoredBlob> blobs) {
        return new CheckpointTuple(stored.namespace(), stored.id(), stored.parent(),
                SerializedValue.of(stored.type(), stored.body()), stored.metadata().getBytes(StandardCharsets.UTF_8),
                stored.versions(), blobs(blobs), stored.writes().stream()
                        .map(write -> new TaskWrite(write.task(), write.index(), write.channel(), value(write.value())))
                        .toList());
    }

    private List<ChannelBlob> blobs(List<StoredBlob> blobs) {
        return blobs.stream().map(blob -> new ChannelBlob(blob.channel(), blob.version(), value(blob.value()))).toList();
    }

    private SerializedValue value(StoredValue stored) {
        if (stored.type().equals(SerializedValue.EMPTY)) {
            return SerializedValue.empty();
        }
        byte[] bytes = stored.size() == 0 ? new byte[0] : stored.bytes();
        if (bytes != null && space.tryTake(stored.size())) {
            return SerializedValue.of(stored.type(), bytes);
        }
        return SerializedValue.reference(stored.type(), references.name(new Reference.OfThread(stored.key())), stored.size());
    }
}
