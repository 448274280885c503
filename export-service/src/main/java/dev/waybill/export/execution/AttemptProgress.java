package dev.waybill.export.execution;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.trace.Snapshot;

/** What an attempt has done so far: written by its thread, read by whoever keeps the lease. */
final class AttemptProgress {

    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final Map<String, String> uploads = new ConcurrentHashMap<>();
    private volatile boolean committing;
    private volatile @Nullable Snapshot snapshot;

    void row() {
        rows.setOpaque(rows.getPlain() + 1);
    }

    void bytes(int written) {
        bytes.setOpaque(bytes.getPlain() + written);
    }

    void read(Snapshot seen) {
        snapshot = seen;
    }

    void uploadStarted(String uploadId, String key) {
        uploads.put(uploadId, key);
    }

    /** From here on the uploads may belong to a commit record: this attempt must not abort them. */
    void committing() {
        committing = true;
    }

    /** What was seen of the traces, once they are read. */
    Snapshot snapshot() {
        Snapshot seen = snapshot;
        if (seen == null) {
            throw new IllegalStateException("the day is not read yet");
        }
        return seen;
    }

    long rows() {
        return rows.get();
    }

    long bytes() {
        return bytes.get();
    }

    /** All uploads that were begun: keys by upload id. */
    Map<String, String> uploads() {
        return Map.copyOf(uploads);
    }

    /** Uploads that nobody else knows how to abort: keys by upload id. */
    Map<String, String> abortableUploads() {
        return committing ? Map.of() : Map.copyOf(uploads);
    }
}
