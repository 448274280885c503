package dev.waybill.export.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.jspecify.annotations.Nullable;

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
}
