package dev.waybill.export.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.PageWriter;

/**
 * A plain-encoded column of long or unique text, without dictionary or statistics. Bytes are copied from the row directly into
 * the page. A page ends before the value that would exceed its size, while parquet-java's columns check the size only after
 * some rows; with values of megabytes, this bounds memory use. A value larger than a page has a page of its own.
 */
final class PlainTextColumn implements TextColumn, AutoCloseable {

    static final int ROWS_PER_PAGE = 20_000;

    // The levels are known only when the page ends; this space before the values is reserved for them.
    private static final int LEVELS_BYTES = Integer.BYTES + DefinitionLevels.maxBytes(ROWS_PER_PAGE);
    private static final int INITIAL_BYTES = LEVELS_BYTES + (16 << 10);

    private final NativeMemory memory;
    private final int pageBytes;
    private final DefinitionLevels levels = new DefinitionLevels(ROWS_PER_PAGE);
    private final PageWriter pages;
    private ByteBuffer page;
    private int end = LEVELS_BYTES;
    private int rows;

    /** Creates a column whose pages contain up to {@code pageBytes} of values. */
    PlainTextColumn(NativeMemory memory, int pageBytes, PageWriter pages) {
        this.memory = memory;
        this.pageBytes = pageBytes;
        this.pages = pages;
        this.page = memory.allocate(INITIAL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        startValue(length);
        page.put(end, bytes, offset, length);
        endValue(length);
    }

    /** Writes a value from outside the Java heap. */
    void write(ByteBuffer source, int offset, int length) {
        startValue(length);
        page.put(end, source, offset, length);
        endValue(length);
    }

    /** Reserves space for {@code bytes} of values, as far as they fit into a page. */
    void reserve(long bytes) {
        int required = LEVELS_BYTES + (int) Math.min(bytes, pageBytes);
        if (required > page.limit()) {
            resize(required);
        }
    }

    private void startValue(int length) {
        int size = Integer.BYTES + length;
        if (rows == ROWS_PER_PAGE || rows > 0 && end - LEVELS_BYTES + size > pageBytes) {
            endPage();
        }
        if (size > page.limit() - end) {
            grow(size);
        }
        page.putInt(end, length);
        end += Integer.BYTES;
    }

    private void endValue(int length) {
        end += length;
        levels.add(1);
        rows++;
    }

    @Override
    public void writeNull() {
        if (rows == ROWS_PER_PAGE) {
            endPage();
        }
        levels.add(0);
        rows++;
    }

    /** Returns the size of the row group's pages so far, including the open one. */
    long bufferedBytes() {
        return end - LEVELS_BYTES + pages.getMemSize();
    }

    /** Writes the open page. */
    void endPage() {
        if (rows == 0) {
            return;
        }
        int levelBytes = levels.end();
        int start = LEVELS_BYTES - levelBytes - Integer.BYTES;
        page.putInt(start, levelBytes);
        page.put(start + Integer.BYTES, levels.bytes(), 0, levelBytes);
        try {
            pages.writePage(BytesInput.from(page.slice(start, end - start)), rows, rows, null, null, null, Encoding.RLE,
                    Encoding.RLE, Encoding.PLAIN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        levels.reset();
        rows = 0;
        end = LEVELS_BYTES;
        if (page.limit() > LEVELS_BYTES + pageBytes) {
            resize(LEVELS_BYTES + pageBytes);
        }
    }

    private void grow(int size) {
        int doubled = (int) Math.min(2L * page.limit(), LEVELS_BYTES + pageBytes);
        resize(Math.max(doubled, Math.addExact(end, size)));
    }

    private void resize(int capacity) {
        ByteBuffer resized = memory.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
        resized.put(LEVELS_BYTES, page, LEVELS_BYTES, end - LEVELS_BYTES);
        memory.release(page);
        page = resized;
    }

    @Override
    public void close() {
        memory.release(page);
    }

    /** The definition levels of a page: which rows have a value, as runs of 1 and 0 in Parquet's RLE encoding. */
    static final class DefinitionLevels {

        // A run of fewer than 64 rows takes two bytes; a longer one has more rows than bytes.
        private static final int MAX_BYTES_PER_ROW = 2;
        private static final int LAST_RUN_BYTES = 4;

        private final byte[] bytes;
        private int size;
        private int level;
        private int count;

        DefinitionLevels(int maxRows) {
            this.bytes = new byte[maxBytes(maxRows)];
        }

        /** Returns the maximum size of the levels of {@code rows} rows. */
        static int maxBytes(int rows) {
            return rows * MAX_BYTES_PER_ROW + LAST_RUN_BYTES;
        }

        void add(int next) {
            if (next != level) {
                endRun();
                level = next;
            }
            count++;
        }

        /** Ends the last run and returns the size of the levels in {@link #bytes()}. */
        int end() {
            endRun();
            return size;
        }

        byte[] bytes() {
            return bytes;
        }

        void reset() {
            size = 0;
        }

        private void endRun() {
            if (count == 0) {
                return;
            }
            int header = count << 1;
            while (header > 0x7f) {
                bytes[size++] = (byte) (header | 0x80);
                header >>>= 7;
            }
            bytes[size++] = (byte) header;
            bytes[size++] = (byte) level;
            count = 0;
        }
    }
}
