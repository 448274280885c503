package dev.waybill.export.run;

import java.time.Instant;

import dev.waybill.export.storage.PreparedUpload;

/**
 * A file of a run: what the commit record keeps of it.
 *
 * @param number counting from 0 within the run
 * @param upload what completes it
 * @param sha256 of the whole file, in hexadecimal
 * @param truncatedRows how many of the rows have texts that were replaced because they are too large
 */
public record RunFile(int number, PreparedUpload upload, long rows, long bytes, String sha256, Instant minStartTime,
        Instant maxStartTime, long truncatedRows) {

    /** The key in the bucket. */
    public String key() {
        return upload.key();
    }
}
