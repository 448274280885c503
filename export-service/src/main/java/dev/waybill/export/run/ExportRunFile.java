package dev.waybill.export.run;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.storage.PreparedUpload;
import dev.waybill.export.trace.Checkpoint;
import dev.waybill.export.trace.Position;
import dev.waybill.export.trace.Snapshot;

/**
 * A file of a run as stored in the commit record.
 *
 * @param number index within the run, from 0
 * @param upload the multipart upload to complete
 * @param sha256 digest of the file, in hexadecimal
 * @param truncatedRows number of rows with texts that were replaced because they are too large
 * @param checkpoint position of the last row and the snapshot read; null when no later attempt continues after the file
 */
public record ExportRunFile(int number, PreparedUpload upload, long rows, long bytes, String sha256, Instant minStartTime,
        Instant maxStartTime, long truncatedRows, @Nullable Checkpoint checkpoint) {

    /** Creates a file without checkpoint. */
    public ExportRunFile(int number, PreparedUpload upload, long rows, long bytes, String sha256, Instant minStartTime,
            Instant maxStartTime, long truncatedRows) {
        this(number, upload, rows, bytes, sha256, minStartTime, maxStartTime, truncatedRows, null);
    }

    /** Returns this file with a checkpoint; {@code ids} is the exclusive or of its row ids. */
    public ExportRunFile withCheckpoint(Position last, UUID ids, Snapshot snapshot) {
        return new ExportRunFile(number, upload, rows, bytes, sha256, minStartTime, maxStartTime, truncatedRows,
                new Checkpoint(last, rows, ids, snapshot));
    }

    /** Returns the key in the bucket. */
    public String key() {
        return upload.key();
    }
}
