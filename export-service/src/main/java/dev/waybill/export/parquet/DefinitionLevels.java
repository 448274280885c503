package dev.waybill.export.parquet;

/** Which rows of a page have a value, as runs of 1 and 0 in Parquet's RLE encoding. */
final class DefinitionLevels {

    // A run shorter than 64 rows takes two bytes, and a longer one spans more rows than it takes bytes.
    private static final int MAX_BYTES_PER_ROW = 2;
    private static final int LAST_RUN_BYTES = 4;

    private final byte[] bytes;
    private int size;
    private int level;
    private int count;

    DefinitionLevels(int maxRows) {
        this.bytes = new byte[maxBytes(maxRows)];
    }

    /** What the levels of so many rows take at most. */
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

    /** Ends the levels; answers how many of {@link #bytes()} they take. */
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
