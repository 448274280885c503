package dev.waybill.export.run;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.storage.PreparedUpload;
import dev.waybill.export.trace.Checkpoint;
import dev.waybill.export.trace.Position;
import dev.waybill.export.trace.Snapshot;

/**
 * A file of a run: what the commit record keeps of it.
 *
 * @param number counting from 0 within the run
 * @param upload what completes it
 * @param sha256 of the whole file, in hexadecimal
 * @param truncatedRows how many of the rows have texts that were replaced because they are too large
 * @param checkpoint up to where it holds the rows and what was seen of them; null where no later attempt needs that
 */
public record RunFile(int number, PreparedUpload upload, long rows, long bytes, String sha256, Instant minStartTime,
        Instant maxStartTime, long truncatedRows, @Nullable Checkpoint checkpoint) {

    /** A file of the attempt that commits it. */
    public RunFile(int number, PreparedUpload upload, long rows, long bytes, String sha256, Instant minStartTime,
            Instant maxStartTime, long truncatedRows) {
        this(number, upload, rows, bytes, sha256, minStartTime, maxStartTime, truncatedRows, null);
    }

    /** The same file as one that later attempts can go on behind, with the ids of its rows combined by exclusive or. */
    public RunFile at(Position last, UUID ids, Snapshot seen) {
        return new RunFile(number, upload, rows, bytes, sha256, minStartTime, maxStartTime, truncatedRows,
                new Checkpoint(last, rows, ids, seen));
    }

    /** The key in the bucket. */
    public String key() {
        return upload.key();
    }
}
