package dev.waybill.export.execution;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.run.RunFile;
import dev.waybill.export.trace.Snapshot;

/** What an attempt has done so far: written by its thread, read by whoever keeps the lease. */
final class AttemptProgress {

    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final Map<String, String> uploads = new ConcurrentHashMap<>();
    private final Set<String> handedOver = ConcurrentHashMap.newKeySet();
    private final List<RunFile> whole = new CopyOnWriteArrayList<>();
    private volatile long rowsBefore;
    private volatile long bytesBefore;
    private volatile boolean committing;
    private volatile @Nullable Snapshot snapshot;

    /** Takes note of the files that the attempt goes on behind. */
    void resumed(List<RunFile> before) {
        rowsBefore = before.stream().mapToLong(RunFile::rows).sum();
        bytesBefore = before.stream().mapToLong(RunFile::bytes).sum();
    }

    void row() {
        rows.setOpaque(rows.getPlain() + 1);
    }

    void bytes(int written) {
        bytes.setOpaque(bytes.getPlain() + written);
    }

    void begun(Snapshot seen) {
        snapshot = seen;
    }

    /** A file is whole, with all of its parts in the store: a later attempt can go on behind it. */
    void fileWhole(RunFile file) {
        whole.add(file);
    }

    /** Files to be recorded as checkpoints. From here on they may be another attempt's: this one must not abort them. */
    List<RunFile> checkpoints() {
        if (committing) {
            return List.of();
        }
        List<RunFile> files = List.copyOf(whole);
        files.forEach(file -> handedOver.add(file.upload().uploadId()));
        return files;
    }

    void uploadStarted(String uploadId, String key) {
        uploads.put(uploadId, key);
    }

    /** From here on the uploads may belong to a commit record: this attempt must not abort them. */
    void committing() {
        committing = true;
    }

    /** What is seen of the traces, once they are being read. */
    Snapshot snapshot() {
        Snapshot seen = snapshot;
        if (seen == null) {
            throw new IllegalStateException("the day is not being read yet");
        }
        return seen;
    }

    long rows() {
        return rows.get();
    }

    long bytes() {
        return bytes.get();
    }

    /** How many rows the run has, those of earlier attempts' files included. */
    long rowsInAll() {
        return rowsBefore + rows.get();
    }

    /** How many bytes the run's files have, those of earlier attempts included. */
    long bytesInAll() {
        return bytesBefore + bytes.get();
    }

    /** All uploads that were begun: keys by upload id. */
    Map<String, String> uploads() {
        return Map.copyOf(uploads);
    }

    /** Uploads that nobody else knows how to abort: keys by upload id. */
    Map<String, String> abortableUploads() {
        if (committing) {
            return Map.of();
        }
        Map<String, String> abortable = new HashMap<>(uploads);
        abortable.keySet().removeAll(handedOver);
        return abortable;
    }
}
