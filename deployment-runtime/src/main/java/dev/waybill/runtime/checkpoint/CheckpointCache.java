package dev.waybill.runtime.checkpoint;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;

/** The newest checkpoints of the threads that this process used last, by the key of the thread. */
final class CheckpointCache {

    private static final long MAX_BYTES = 16L << 20;
    /** The cache uses at most this fraction of the heap. */
    private static final int HEAP_FRACTION = 16;
    /** Larger checkpoints are not retained, by the cache or by a run. */
    private static final int MAX_ENTRY_BYTES = 64 << 10;
    /** Memory of an entry, and of each value, besides their bytes. */
    private static final int OVERHEAD_BYTES = 512;

    private final long maxBytes = Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_FRACTION);
    private final Map<UUID, StoredCheckpoint> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** Returns the checkpoint of a thread if it has the id. */
    synchronized @Nullable StoredCheckpoint find(UUID thread, UUID id) {
        StoredCheckpoint found = entries.get(thread);
        return found != null && found.id().equals(id) ? found : null;
    }

    /** Replaces the checkpoint of a thread; removes it with null. */
    synchronized void put(UUID thread, @Nullable StoredCheckpoint checkpoint) {
        StoredCheckpoint replaced = entries.remove(thread);
        bytes -= replaced == null ? 0 : size(replaced);
        if (checkpoint == null || !fits(checkpoint)) {
            return;
        }
        entries.put(thread, checkpoint);
        bytes += size(checkpoint);
        Iterator<StoredCheckpoint> oldest = entries.values().iterator();
        while (bytes > maxBytes) {
            bytes -= size(oldest.next());
            oldest.remove();
        }
    }

    /** Returns whether the checkpoint is small enough to be retained. */
    static boolean fits(StoredCheckpoint checkpoint) {
        return size(checkpoint) <= MAX_ENTRY_BYTES;
    }

    private static long size(StoredCheckpoint checkpoint) {
        return OVERHEAD_BYTES + checkpoint.body().length + 2L * checkpoint.metadata().length()
                + (long) OVERHEAD_BYTES * checkpoint.versions().size()
                + checkpoint.blobs().stream().mapToLong(blob -> OVERHEAD_BYTES + blob.value().size()).sum();
    }
}
