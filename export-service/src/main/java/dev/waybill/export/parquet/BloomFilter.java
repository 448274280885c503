package dev.waybill.export.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

import org.apache.parquet.format.BloomFilterAlgorithm;
import org.apache.parquet.format.BloomFilterCompression;
import org.apache.parquet.format.BloomFilterHash;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.SplitBlockAlgorithm;
import org.apache.parquet.format.Uncompressed;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.XxHash;

/**
 * Builds the split block Bloom filter of one column of a row group. Its size depends on the number of distinct values, which is
 * known only at the end: a few hashes are collected, and a filter that is too large is folded.
 */
final class BloomFilter {

    /** Rate of false positives: 3 % at this density, 0.1 % at twice this density, which is the maximum. */
    private static final int MIN_BITS_PER_VALUE = 8;

    private static final int WORDS = 8;
    private static final int BITS_PER_BLOCK = WORDS * Integer.SIZE;
    private static final int INITIAL_HASHES = 256;
    private static final int MAX_HASHES = 1 << 16;
    private static final int[] SALT = { 0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947,
            0x5c6bfb31 };

    private final long maxValues;
    private long[] hashes = new long[INITIAL_HASHES];
    private int count;
    // Eight words per block; empty while hashes are collected.
    private int[] words = {};

    /** Creates the filter of a column with at most {@code maxValues} values. */
    BloomFilter(long maxValues) {
        this.maxValues = maxValues;
    }

    void add(byte[] bytes, int offset, int length) {
        long hash = XxHash64.of(bytes, offset, length);
        if (words.length > 0) {
            insert(hash);
            return;
        }
        if (count > 0 && hashes[count - 1] == hash) {
            return;
        }
        if (count == hashes.length) {
            if (count == MAX_HASHES) {
                insertAll(maxValues);
                insert(hash);
                return;
            }
            hashes = Arrays.copyOf(hashes, 2 * count);
        }
        hashes[count++] = hash;
    }

    /** Writes header and bits, and returns their size. */
    int writeTo(OutputStream out) throws IOException {
        if (words.length == 0) {
            insertAll(count);
        }
        fold();
        ByteBuffer bits = ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bits.asIntBuffer().put(words);
        var header = new ByteArrayOutputStream();
        Util.writeBloomFilterHeader(new BloomFilterHeader(bits.capacity(),
                BloomFilterAlgorithm.BLOCK(new SplitBlockAlgorithm()),
                BloomFilterHash.XXHASH(new XxHash()),
                BloomFilterCompression.UNCOMPRESSED(new Uncompressed())), header);
        out.write(header.toByteArray());
        out.write(bits.array());
        words = new int[0];
        return header.size() + bits.capacity();
    }

    private void insertAll(long values) {
        words = new int[WORDS * blocks(values)];
        for (int i = 0; i < count; i++) {
            insert(hashes[i]);
        }
        hashes = new long[0];
    }

    // Readers such as Arrow accept powers of two only.
    private static int blocks(long values) {
        long blocks = Math.max(1, (values * MIN_BITS_PER_VALUE + BITS_PER_BLOCK - 1) / BITS_PER_BLOCK);
        return (int) Long.highestOneBit(2 * blocks - 1);
    }

    private void insert(long hash) {
        int first = WORDS * (int) ((hash >>> Integer.SIZE) * (words.length / WORDS) >>> Integer.SIZE);
        int key = (int) hash;
        for (int i = 0; i < WORDS; i++) {
            words[first + i] |= 1 << (key * SALT[i] >>> 27);
        }
    }

    // The highest bits select the block, so halving the number of blocks merges neighbours.
    private void fold() {
        int blocks = blocks(distinct());
        while (words.length / WORDS > blocks) {
            int[] half = new int[words.length / 2];
            for (int i = 0; i < half.length; i++) {
                int pair = i / WORDS * 2 * WORDS + i % WORDS;
                half[i] = words[pair] | words[pair + WORDS];
            }
            words = half;
        }
    }

    // Estimates the number of distinct values: each sets one of the 32 bits of every word of its block.
    private long distinct() {
        long set = 0;
        for (int word : words) {
            set += Integer.bitCount(word);
        }
        double unset = 1 - set / ((double) words.length * Integer.SIZE);
        int blocks = words.length / WORDS;
        return unset <= 0 ? maxValues
                : Math.min(maxValues, (long) Math.ceil(blocks * Math.log(unset) / Math.log(1 - 1.0 / Integer.SIZE)));
    }
}
