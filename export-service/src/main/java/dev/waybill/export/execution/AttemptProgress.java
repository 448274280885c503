package dev.waybill.export.execution;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.run.ExportRunFile;
import dev.waybill.export.trace.Snapshot;

/** Progress of an attempt: written by its worker thread, read by the lease heartbeat. */
final class AttemptProgress {

    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final Map<String, String> uploads = new ConcurrentHashMap<>();
    private final Set<String> checkpointedUploads = ConcurrentHashMap.newKeySet();
    private final List<ExportRunFile> finishedFiles = new CopyOnWriteArrayList<>();
    private volatile long previousRows;
    private volatile long previousBytes;
    private volatile boolean commitStarted;
    private volatile @Nullable Snapshot snapshot;

    /** Sets the files of earlier attempts, after whose last row this attempt continues. */
    void resumeAfter(List<ExportRunFile> earlierFiles) {
        previousRows = earlierFiles.stream().mapToLong(ExportRunFile::rows).sum();
        previousBytes = earlierFiles.stream().mapToLong(ExportRunFile::bytes).sum();
    }

    void row() {
        rows.setOpaque(rows.getPlain() + 1);
    }

    void bytes(int written) {
        bytes.setOpaque(bytes.getPlain() + written);
    }

    void snapshotTaken(Snapshot taken) {
        snapshot = taken;
    }

    /** Adds a file whose parts are all uploaded; a later attempt can continue after its last row. */
    void fileFinished(ExportRunFile file) {
        finishedFiles.add(file);
    }

    /**
     * Returns the files to record as checkpoints. Another attempt may use them from now on, so this one no longer aborts them.
     */
    List<ExportRunFile> checkpoints() {
        if (commitStarted) {
            return List.of();
        }
        List<ExportRunFile> files = List.copyOf(finishedFiles);
        files.forEach(file -> checkpointedUploads.add(file.upload().uploadId()));
        return files;
    }

    void uploadStarted(String uploadId, String key) {
        uploads.put(uploadId, key);
    }

    /** Marks the start of the commit. A commit record may reference the uploads from now on, so they are no longer aborted. */
    void commitStarted() {
        commitStarted = true;
    }

    /** Returns the snapshot that the rows are read in; fails before reading has started. */
    Snapshot snapshot() {
        Snapshot taken = snapshot;
        if (taken == null) {
            throw new IllegalStateException("the attempt has not started to read rows");
        }
        return taken;
    }

    long rows() {
        return rows.get();
    }

    long bytes() {
        return bytes.get();
    }

    /** Returns the number of rows of the run, including the files of earlier attempts. */
    long totalRows() {
        return previousRows + rows.get();
    }

    /** Returns the size of the run's files in bytes, including those of earlier attempts. */
    long totalBytes() {
        return previousBytes + bytes.get();
    }

    /** Returns the keys of all started uploads by upload id. */
    Map<String, String> uploads() {
        return Map.copyOf(uploads);
    }

    /** Returns the keys of the uploads that only this attempt can abort, by upload id. */
    Map<String, String> abortableUploads() {
        if (commitStarted) {
            return Map.of();
        }
        Map<String, String> abortable = new HashMap<>(uploads);
        abortable.keySet().removeAll(checkpointedUploads);
        return abortable;
    }
}
