package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.column.values.bloomfilter.XxHash;
import org.apache.parquet.format.Util;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BloomFilterTest {

    private static final int MAX_VALUES = 1 << 20;

    @Test
    void hashesEqualThoseOfParquetJava() {
        byte[] bytes = "0123456789 the quick brown fox jumps over the lazy d\u00f6g, \ud834\udd1e again and again"
                .getBytes(UTF_8);

        for (int length = 0; length <= bytes.length - 3; length++) {
            assertThat(XxHash64.of(bytes, 3, length)).as("%s bytes", length)
                    .isEqualTo(new XxHash().hashBytes(Arrays.copyOfRange(bytes, 3, 3 + length)));
        }
    }

    /** Covers more values than the initial hashes, and repeated values. */
    @ParameterizedTest
    @CsvSource({ "0, 0, 32", "1, 1, 32", "33, 33, 64", "1000, 1000, 1024", "1000, 100000, 1024", "5000, 300000, 8192",
            "200000, 200000, 262144" })
    void sizeDependsOnDistinctValues(int distinct, int values, int bytes) throws IOException {
        BloomFilter filter = new BloomFilter(MAX_VALUES);
        for (int i = 0; i < values; i++) {
            byte[] value = value(i % distinct);
            filter.add(value, 0, value.length);
        }

        BlockSplitBloomFilter read = read(filter);

        assertThat(read.getBitsetSize()).isBetween(bytes, 2 * bytes);
        int wrong = 0;
        for (int i = 0; i < distinct; i++) {
            assertThat(contains(read, i)).isTrue();
            wrong += contains(read, i + distinct) ? 1 : 0;
        }
        assertThat(wrong).isLessThanOrEqualTo(distinct / 20 + 3);
    }

    private static byte[] value(int i) {
        return ("value " + i).getBytes(UTF_8);
    }

    private static boolean contains(BlockSplitBloomFilter filter, int i) {
        return filter.findHash(filter.hash(Binary.fromConstantByteArray(value(i))));
    }

    private static BlockSplitBloomFilter read(BloomFilter filter) throws IOException {
        var out = new ByteArrayOutputStream();
        assertThat(filter.writeTo(out)).isEqualTo(out.size());
        var in = new ByteArrayInputStream(out.toByteArray());
        int bytes = Util.readBloomFilterHeader(in).getNumBytes();
        byte[] bits = in.readAllBytes();
        assertThat(bits).hasSize(bytes);
        return new BlockSplitBloomFilter(bits);
    }
}
