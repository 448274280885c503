package dev.waybill.export.verification;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.export.ObjectMismatch;
import dev.waybill.export.job.ManifestInput;

/** The results of the files that a verification has read, which may arrive out of order. */
final class CheckedFiles {

    private final List<ManifestInput.File> files;
    // Results after the first file without a result.
    private final Map<Integer, FileResult> pending = new HashMap<>();
    private Checkpoint checkpoint;

    CheckedFiles(List<ManifestInput.File> files, Checkpoint checkpoint) {
        this.files = files;
        this.checkpoint = checkpoint;
    }

    synchronized void add(FileResult result) {
        pending.put(result.index(), result);
        FileResult next = pending.remove(checkpoint.files());
        while (next != null) {
            checkpoint = checkpoint.after(files.get(next.index()), next);
            next = pending.remove(checkpoint.files());
        }
    }

    /** Returns the state up to the first file without a result. */
    synchronized Checkpoint checkpoint() {
        return checkpoint;
    }

    /**
     * The result of one file.
     *
     * @param index index in the list of files
     * @param rows number of rows in its footer; 0 if the file differs
     * @param mismatch null for an intact file
     */
    record FileResult(int index, long rows, @Nullable ObjectMismatch mismatch) {
    }

    /**
     * The point at which another attempt continues.
     *
     * @param files number of files read so far
     * @param bytes their size
     * @param rows number of rows in their footers
     * @param mismatches those that differ
     */
    record Checkpoint(int files, long bytes, long rows, Mismatches mismatches) {

        private Checkpoint after(ManifestInput.File file, FileResult result) {
            return new Checkpoint(files + 1, bytes + file.bytes(), rows + result.rows(), result.mismatch() == null ? mismatches
                    : mismatches.plus(Mismatches.of(result.mismatch())));
        }
    }
}
