package dev.waybill.common.lake;

import java.nio.ByteOrder;

/**
 * The format of the object with the text index of a file of runs: a bitmap for each block of consecutive runs, the directory of
 * the blocks (number of runs, number of bits), and the trailer. Bit {@code h} modulo the number of bits is set if a text of the
 * block has a gram with hash {@code h}.
 */
public final class IndexFormat {

    /** Number of the format; readers ignore indexes of other formats. Also changes with the grams. */
    public static final int VERSION = 1;

    static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    static final int MIN_BITS = 512;
    static final int MAX_BLOCK_ROWS = 512;
    static final int ENTRY_BYTES = 2 * Integer.BYTES;
    /** Size of the file of runs, number of blocks, checksum of everything before it, version. */
    static final int TRAILER_BYTES = Long.BYTES + 3 * Integer.BYTES;
    static final int CHECKED_TRAILER_BYTES = Long.BYTES + Integer.BYTES;

    private static final String SUFFIX = ".index";

    private IndexFormat() {
    }

    /** Returns the key of the index of a file; deleting objects with the prefix {@code key} deletes both. */
    public static String key(String key) {
        return key + SUFFIX;
    }

    /** Returns whether a key is that of an index. */
    public static boolean isIndex(String key) {
        return key.endsWith(SUFFIX);
    }
}
