package dev.waybill.export.parquet;

import java.time.Instant;

/**
 * A file that is whole.
 *
 * @param sha256 hash of its bytes, in hexadecimal
 * @param truncatedRows how many of the rows have texts that were replaced
 * @param longTextBytes what the columns of long text take
 * @param otherBytes what the other columns take; the rest is the file's end and Bloom filters
 */
public record WrittenFile(int index, long rows, long bytes, String sha256, Instant minStartTime, Instant maxStartTime,
        long truncatedRows, long longTextBytes, long otherBytes) {
}
