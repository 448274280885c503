package dev.waybill.export.parquet;

import java.io.IOException;

import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a column of a row group by which readers skip it, for columns that parquet-java does not write: the number of
 * nulls, bounds of names, a Bloom filter of ids.
 */
final class ColumnStatistics {

    private final int column;
    private final @Nullable TextBounds bounds;
    private final @Nullable BloomFilter bloomFilter;
    private long nulls;
    private long bloomFilterStart;
    private int bloomFilterBytes;

    ColumnStatistics(int column, @Nullable TextBounds bounds, @Nullable BloomFilter bloomFilter) {
        this.column = column;
        this.bounds = bounds;
        this.bloomFilter = bloomFilter;
    }

    void addNull() {
        nulls++;
    }

    /** Adds a value; adding it again changes nothing. */
    void addValue(byte[] bytes, int offset, int length) {
        if (bounds != null) {
            bounds.add(bytes, offset, length);
        }
        if (bloomFilter != null) {
            bloomFilter.add(bytes, offset, length);
        }
    }

    /** Writes the column's Bloom filter, if any, after the row group. */
    void writeBloomFilter(HashingOutputFile file) throws IOException {
        if (bloomFilter != null) {
            bloomFilterStart = file.getPos();
            bloomFilterBytes = bloomFilter.writeTo(file);
        }
    }

    int column() {
        return column;
    }

    /** Adds the statistics to the column's entry in the footer. */
    void addTo(ColumnMetaData entry) {
        Statistics statistics = new Statistics();
        statistics.setNull_count(nulls);
        if (bounds != null) {
            bounds.addTo(statistics);
        }
        entry.setStatistics(statistics);
        if (bloomFilterBytes > 0) {
            entry.setBloom_filter_offset(bloomFilterStart);
            entry.setBloom_filter_length(bloomFilterBytes);
        }
    }
}
