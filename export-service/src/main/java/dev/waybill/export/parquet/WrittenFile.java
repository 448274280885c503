package dev.waybill.export.parquet;

import java.time.Instant;

/**
 * A complete file.
 *
 * @param sha256 the hash of its bytes, in hexadecimal
 * @param truncatedRows the number of rows with replaced texts
 * @param longTextBytes the size of the columns of long text
 * @param otherBytes the size of the other columns; the remainder is the footer and Bloom filters
 */
public record WrittenFile(int index, long rows, long bytes, String sha256, Instant minStartTime, Instant maxStartTime,
        long truncatedRows, long longTextBytes, long otherBytes) {
}
