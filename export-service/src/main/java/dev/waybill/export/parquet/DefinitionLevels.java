package dev.waybill.export.parquet;

/** The definition levels of a page: which rows have a value, as runs of 1 and 0 in Parquet's RLE encoding. */
final class DefinitionLevels {

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
