package dev.waybill.export.storage;

/**
 * How large the parts of an upload are. S3 takes 10,000 parts at most; some stores want all parts but the last to be equal,
 * so the size grows only where objects are too large for those stores anyway.
 */
final class PartSizes {

    static final int SMALL = 5 * 1024 * 1024;
    static final int LARGE = 16 * 1024 * 1024;
    static final int MAX_PARTS = 10_000;
    private static final int SMALL_PARTS = 2_500;

    private PartSizes() {
    }

    /** The size of the part with this number, counting from 1. */
    static int of(int number) {
        return number <= SMALL_PARTS ? SMALL : LARGE;
    }
}
