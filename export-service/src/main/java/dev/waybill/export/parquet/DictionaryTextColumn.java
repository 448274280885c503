package dev.waybill.export.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.jspecify.annotations.Nullable;

import dev.waybill.export.parquet.PlainTextColumn.DefinitionLevels;

/**
 * A dictionary-encoded column of text: names and statuses, but also prompts that thousands of runs share and inputs that parent
 * and child have in common. If the dictionary does not save space, the column falls back to plain pages. Repeated text is thus
 * stored and compressed once per row group, and unique text costs one hash.
 */
final class DictionaryTextColumn implements TextColumn, AutoCloseable {

    private static final int MAX_DICTIONARY_BYTES = 32 << 20;
    private static final int ROWS_PER_PAGE = 100_000;
    private static final int NULL = -1;

    private final PageWriter pages;
    private final PlainTextColumn plain;
    private final ColumnStatistics statistics;
    private @Nullable TextDictionary dictionary;
    // The dictionary index of each row, until the dictionary is written or dropped.
    private int[] indices = new int[1024];
    private int rows;
    private long valueBytes;
    private boolean dictionaryFull;

    /** Creates a column of a row group of at most {@code groupBytes}; its dictionary may use half of them. */
    DictionaryTextColumn(NativeMemory memory, int pageBytes, long groupBytes, PageWriter pages, ColumnStatistics statistics) {
        this.statistics = statistics;
        this.pages = pages;
        this.plain = new PlainTextColumn(memory, pageBytes, pages);
        this.dictionary = new TextDictionary(memory, (int) Math.min(MAX_DICTIONARY_BYTES, groupBytes / 2));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        if (dictionary != null) {
            int known = dictionary.count();
            int index = dictionary.indexOf(bytes, offset, length);
            if (index != TextDictionary.FULL) {
                if (index == known) {
                    statistics.addValue(bytes, offset, length);
                }
                add(index);
                valueBytes += length + Integer.BYTES;
                return;
            }
            endDictionary();
        }
        statistics.addValue(bytes, offset, length);
        plain.write(bytes, offset, length);
    }

    @Override
    public void writeNull() {
        statistics.addNull();
        if (dictionary == null) {
            plain.writeNull();
        } else {
            add(NULL);
        }
    }

    private void add(int index) {
        if (rows == indices.length) {
            indices = Arrays.copyOf(indices, 2 * rows);
        }
        indices[rows++] = index;
    }

    /** Returns the size of the row group's pages and the dictionary so far. */
    long bufferedBytes() {
        return dictionaryBytes() + plain.bufferedBytes();
    }

    /** Returns the memory that dropping the dictionary would free; 0 if it saves space or no longer exists. */
    long reclaimableBytes() {
        return dictionary == null || isWorthwhile(dictionary) ? 0 : dictionaryBytes();
    }

    /** Returns whether a useful dictionary is full, so that a new row group with a new dictionary should start. */
    boolean isDictionaryFull() {
        return dictionaryFull;
    }

    private long dictionaryBytes() {
        return dictionary == null ? 0 : dictionary.bytes() + (long) rows * Integer.BYTES;
    }

    // The codec also finds nearby repeats; a dictionary is worth a reader's memory if it saves a fifth.
    private boolean isWorthwhile(TextDictionary values) {
        return valueBytes / 5 * 4 > values.bytes();
    }

    /** Writes the dictionary and the open page. */
    void endPages() {
        endDictionary();
        plain.endPage();
    }

    /** Ends dictionary encoding: writes the dictionary if it saves space, otherwise rewrites its rows as plain ones. */
    void endDictionary() {
        if (dictionary == null) {
            return;
        }
        if (isWorthwhile(dictionary)) {
            writeDictionary(dictionary);
            dictionaryFull = true;
        } else {
            writePlain(dictionary);
        }
        dictionary.close();
        dictionary = null;
        indices = new int[0];
    }

    private void writePlain(TextDictionary values) {
        plain.reserve(valueBytes);
        for (int row = 0; row < rows; row++) {
            if (indices[row] == NULL) {
                plain.writeNull();
            } else {
                values.copy(indices[row], plain);
            }
        }
    }

    private void writeDictionary(TextDictionary values) {
        try {
            pages.writeDictionaryPage(values.page());
            for (int from = 0; from < rows; from += ROWS_PER_PAGE) {
                writePage(from, Math.min(from + ROWS_PER_PAGE, rows), BytesUtils.getWidthFromMaxInt(values.count() - 1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writePage(int from, int to, int bitWidth) throws IOException {
        var levels = new DefinitionLevels(to - from);
        try (var encoder = new RunLengthBitPackingHybridEncoder(bitWidth, 64 << 10, 1 << 20, new HeapByteBufferAllocator())) {
            for (int row = from; row < to; row++) {
                levels.add(indices[row] == NULL ? 0 : 1);
                if (indices[row] != NULL) {
                    encoder.writeInt(indices[row]);
                }
            }
            int levelBytes = levels.end();
            BytesInput page = BytesInput.concat(BytesInput.fromInt(levelBytes),
                    BytesInput.from(levels.bytes(), 0, levelBytes),
                    BytesInput.from(new byte[] { (byte) bitWidth }),
                    encoder.toBytes());
            pages.writePage(page, to - from, to - from, null, null, null, Encoding.RLE, Encoding.RLE,
                    Encoding.RLE_DICTIONARY);
        }
    }

    @Override
    public void close() {
        plain.close();
        if (dictionary != null) {
            dictionary.close();
        }
    }

    /**
     * The distinct values of a column of text, in order of appearance and in the layout of the dictionary page. parquet-java's
     * own dictionary stores an object per value and is designed for one megabyte, not thirty.
     */
    static final class TextDictionary implements AutoCloseable {

        static final int FULL = -1;

        private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
        private static final int INITIAL_BYTES = 16 << 10;
        private static final int INITIAL_SLOTS = 256;
        // ByteBuffer.mismatch costs more for names and statuses.
        private static final int LONG_TEXT = 256;

        private final NativeMemory memory;
        private final int maxBytes;
        // Random, so that values cannot be chosen to collide: not even by a factor of 0.
        private final long seed = ThreadLocalRandom.current().nextLong();
        private final long multiplier = ThreadLocalRandom.current().nextLong() | 1;
        private ByteBuffer entries;
        private int end;
        private int count;
        private int[] offsets = new int[INITIAL_SLOTS / 2];
        private long[] hashes = new long[INITIAL_SLOTS / 2];
        // Open addressing; a slot contains an entry's index plus one.
        private int[] slots = new int[INITIAL_SLOTS];

        TextDictionary(NativeMemory memory, int maxBytes) {
            this.memory = memory;
            this.maxBytes = maxBytes;
            this.entries = memory.allocate(INITIAL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        }

        /** Returns the value's index, or {@link #FULL} if the value is new and the dictionary is full. */
        int indexOf(byte[] bytes, int offset, int length) {
            long hash = hash(bytes, offset, length);
            int slot = (int) hash & slots.length - 1;
            for (int taken = slots[slot]; taken != 0; taken = slots[slot]) {
                if (hashes[taken - 1] == hash && isEntry(taken - 1, bytes, offset, length)) {
                    return taken - 1;
                }
                slot = slot + 1 & slots.length - 1;
            }
            if (length > maxBytes - end - Integer.BYTES) {
                return FULL;
            }
            append(bytes, offset, length, hash);
            slots[slot] = count;
            if (2 * count == slots.length) {
                growTables();
            }
            return count - 1;
        }

        int count() {
            return count;
        }

        int bytes() {
            return end;
        }

        /** Writes the value at the index to a column. */
        void copy(int index, PlainTextColumn column) {
            int offset = offsets[index];
            column.write(entries, offset + Integer.BYTES, entries.getInt(offset));
        }

        DictionaryPage page() {
            return new DictionaryPage(BytesInput.from(entries.slice(0, end)), end, count, Encoding.PLAIN);
        }

        private boolean isEntry(int index, byte[] bytes, int offset, int length) {
            if (entries.getInt(offsets[index]) != length) {
                return false;
            }
            int start = offsets[index] + Integer.BYTES;
            if (length > LONG_TEXT) {
                return entries.slice(start, length).mismatch(ByteBuffer.wrap(bytes, offset, length)) < 0;
            }
            int at = 0;
            for (; at <= length - Long.BYTES; at += Long.BYTES) {
                if (entries.getLong(start + at) != (long) LONG.get(bytes, offset + at)) {
                    return false;
                }
            }
            while (at < length && entries.get(start + at) == bytes[offset + at]) {
                at++;
            }
            return at >= length;
        }

        private void append(byte[] bytes, int offset, int length, long hash) {
            int size = Integer.BYTES + length;
            if (size > entries.limit() - end) {
                growEntries(size);
            }
            entries.putInt(end, length);
            entries.put(end + Integer.BYTES, bytes, offset, length);
            offsets[count] = end;
            hashes[count] = hash;
            count++;
            end += size;
        }

        private void growEntries(int size) {
            int doubled = (int) Math.min(2L * entries.limit(), maxBytes);
            ByteBuffer larger = memory.allocate(Math.max(end + size, doubled)).order(ByteOrder.LITTLE_ENDIAN);
            larger.put(0, entries, 0, end);
            memory.release(entries);
            entries = larger;
        }

        private void growTables() {
            offsets = Arrays.copyOf(offsets, 2 * offsets.length);
            hashes = Arrays.copyOf(hashes, 2 * hashes.length);
            slots = new int[2 * slots.length];
            for (int index = 0; index < count; index++) {
                int slot = (int) hashes[index] & slots.length - 1;
                while (slots[slot] != 0) {
                    slot = slot + 1 & slots.length - 1;
                }
                slots[slot] = index + 1;
            }
        }

        private long hash(byte[] bytes, int offset, int length) {
            long hash = seed ^ length;
            int at = offset;
            int stop = offset + length;
            for (; at <= stop - 2 * Long.BYTES; at += 2 * Long.BYTES) {
                hash = mix((long) LONG.get(bytes, at) ^ multiplier, (long) LONG.get(bytes, at + Long.BYTES) ^ hash);
            }
            for (; at < stop; at++) {
                hash = (hash ^ bytes[at]) * multiplier;
            }
            return mix(hash, seed ^ multiplier);
        }

        private static long mix(long left, long right) {
            return Math.multiplyHigh(left, right) ^ left * right;
        }

        @Override
        public void close() {
            memory.release(entries);
        }
    }
}
