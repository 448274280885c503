package dev.waybill.runtime.checkpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.protocol.RequestParams.CheckpointGet;
import dev.waybill.runtime.storage.CheckpointStorage.Change;
import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.StoredBlob;
import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.StoredValue;
import dev.waybill.runtime.storage.CheckpointStorage.ValueKey;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.NewestCheckpoint;
import io.smallrye.mutiny.Uni;

/**
 * The newest checkpoint of a run's thread in memory. The start of the run returned its id, and only the run writes to the
 * thread since, so the run may begin with a copy that this process retained.
 */
final class NewestCheckpoints {

    private static final String GRAPH = "";

    private final CheckpointCache cache;
    private final @Nullable RunFence fence;
    private final @Nullable NewestCheckpoint atStart;
    /** Whether the run has not read or written yet. */
    private boolean begins = true;
    /** The newest checkpoint with all values and no writes; null if it is unknown or too large, or if there is none. */
    private @Nullable StoredCheckpoint newest;
    private boolean none;

    NewestCheckpoints(RequestScope scope, CheckpointCache cache) {
        this.cache = cache;
        this.fence = scope.fence();
        this.atStart = scope.newest();
        this.none = atStart != null && atStart.id() == null;
        this.newest = fence != null && atStart != null && atStart.id() != null && !atStart.written()
                ? cache.find(fence.thread().key(), atStart.id())
                : null;
    }

    /** Returns whether the run has neither read nor written, and its thread has no checkpoint or one that is in memory. */
    synchronized boolean isKnown() {
        return begins && (none || newest != null);
    }

    /** Returns the newest checkpoint; null if it is not in memory, or if there is none. */
    synchronized @Nullable StoredCheckpoint newest() {
        return newest;
    }

    /** Returns the checkpoint from memory if the run begins with it, otherwise from the storage. */
    Uni<Optional<StoredCheckpoint>> find(CheckpointGet query, Supplier<Uni<Optional<StoredCheckpoint>>> storage) {
        if (fence == null || !query.namespace().equals(GRAPH) || query.id() != null) {
            return storage.get();
        }
        synchronized (this) {
            boolean known = isKnown();
            begins = false;
            if (known) {
                return Uni.createFrom().item(Optional.ofNullable(newest));
            }
        }
        return atStart == null ? storage.get() : storage.get().invoke(found -> found.ifPresent(this::read));
    }

    private synchronized void read(StoredCheckpoint found) {
        boolean complete = found.blobs().stream().map(StoredBlob::value)
                .allMatch(value -> value.bytes() != null || value.size() == 0);
        // Another run may delete the writes.
        StoredCheckpoint copy = new StoredCheckpoint(found.namespace(), found.id(), found.parent(), found.run(), found.type(),
                found.body(), found.metadata(), found.versions(), found.blobs(), List.of());
        newest = complete && CheckpointCache.fits(copy) ? copy : null;
    }

    /** Retains the newest checkpoint when the changes are stored. */
    Uni<Void> stored(List<Change> changes, Uni<Void> storing) {
        if (fence == null || atStart == null) {
            return storing;
        }
        StoredCheckpoint last = add(changes);
        UUID thread = fence.thread().key();
        return storing.invoke(() -> cache.put(thread, last)).onFailure().invoke(() -> cache.put(thread, null));
    }

    /** Records changes, an empty list for the deletion of all; returns the newest checkpoint after them. */
    synchronized @Nullable StoredCheckpoint add(List<Change> changes) {
        begins = false;
        if (changes.isEmpty()) {
            newest = null;
        }
        for (Change change : changes) {
            if (change instanceof NewCheckpoint put && put.namespace().equals(GRAPH)) {
                newest = after(put);
                none = false;
            }
        }
        return newest;
    }

    /** Retains the newest checkpoint after the last changes of the run, if they were stored. */
    void retain(boolean stored) {
        if (fence != null && atStart != null) {
            cache.put(fence.thread().key(), stored ? newest() : null);
        }
    }

    /** Returns the stored form of a checkpoint that follows the newest one, or is the first; null for others. */
    private @Nullable StoredCheckpoint after(NewCheckpoint put) {
        boolean follows = put.parent() == null ? none : newest != null && newest.id().equals(put.parent());
        byte[] body = put.body().bytes();
        if (!follows || fence == null || body == null) {
            return null;
        }
        Map<String, StoredBlob> known = new HashMap<>();
        if (newest != null) {
            newest.blobs().forEach(blob -> known.put(blob.channel(), blob));
        }
        for (NewBlob blob : put.blobs()) {
            ValueKey key = new ValueKey.OfBlob(GRAPH, blob.channel(), blob.version());
            known.put(blob.channel(), new StoredBlob(blob.channel(), blob.version(),
                    new StoredValue(key, blob.value().type(), blob.value().size(), blob.value().bytes())));
        }
        List<StoredBlob> blobs = new ArrayList<>();
        put.versions().forEach((channel, version) -> {
            StoredBlob blob = known.get(channel);
            if (blob != null && blob.version().equals(version)) {
                blobs.add(blob);
            }
        });
        StoredCheckpoint created = new StoredCheckpoint(GRAPH, put.id(), put.parent(), fence.run(), put.body().type(), body,
                put.metadata(), put.versions(), blobs, List.of());
        return CheckpointCache.fits(created) ? created : null;
    }
}
