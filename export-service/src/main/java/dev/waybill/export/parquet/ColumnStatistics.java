package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Arrays;

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

    /** The smallest and the largest text of a column, in byte order. Long texts are truncated such that they remain bounds. */
    static final class TextBounds {

        static final int MAX_BYTES = 64;

        private byte @Nullable [] min;
        private byte @Nullable [] max;

        void add(byte[] bytes, int offset, int length) {
            byte[] smallest = min;
            byte[] largest = max;
            if (smallest == null || compare(bytes, offset, length, smallest) < 0) {
                min = Arrays.copyOfRange(bytes, offset, offset + length);
            }
            if (largest == null || compare(bytes, offset, length, largest) > 0) {
                max = Arrays.copyOfRange(bytes, offset, offset + length);
            }
        }

        private static int compare(byte[] bytes, int offset, int length, byte[] other) {
            return Arrays.compareUnsigned(bytes, offset, offset + length, other, 0, other.length);
        }

        /** Sets both bounds; sets none without values or if no text is larger than the largest. */
        void addTo(Statistics statistics) {
            byte[] smallest = min;
            byte[] largest = max;
            byte[] above = largest == null ? null : upperBound(largest);
            if (smallest == null || largest == null || above == null) {
                return;
            }
            byte[] below = truncate(smallest);
            statistics.setMin_value(below);
            statistics.setMax_value(above);
            statistics.setIs_min_value_exact(below.length == smallest.length);
            statistics.setIs_max_value_exact(largest.length <= MAX_BYTES);
        }

        /** Returns the start of a text up to a complete character, which is not larger than the text. */
        static byte[] truncate(byte[] text) {
            if (text.length <= MAX_BYTES) {
                return text;
            }
            int end = MAX_BYTES;
            while ((text[end] & 0xc0) == 0x80) {
                end--;
            }
            return Arrays.copyOf(text, end);
        }

        /** Returns the text if it is short, otherwise a short text that is larger; null if none exists. */
        static byte @Nullable [] upperBound(byte[] text) {
            if (text.length <= MAX_BYTES) {
                return text;
            }
            // The byte order of UTF-8 is the order of code points.
            int[] characters = new String(truncate(text), UTF_8).codePoints().toArray();
            for (int last = characters.length - 1; last >= 0; last--) {
                if (characters[last] < Character.MAX_CODE_POINT) {
                    int next = characters[last] + 1;
                    characters[last] = next == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : next;
                    return new String(characters, 0, last + 1).getBytes(UTF_8);
                }
            }
            return null;
        }
    }
}
