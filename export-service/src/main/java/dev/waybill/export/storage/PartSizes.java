package dev.waybill.export.storage;

/**
 * The sizes of an upload's parts. S3 allows at most 10,000 parts, and some stores require equal sizes except for the last part.
 * The size therefore grows only beyond the largest object of those stores.
 */
final class PartSizes {

    static final int SMALL = 5 * 1024 * 1024;
    static final int LARGE = 16 * 1024 * 1024;
    static final int MAX_PARTS = 10_000;
    private static final int SMALL_PARTS = 2_500;

    private PartSizes() {
    }

    /** Returns the size of the part with this number, starting with 1. */
    static int of(int number) {
        return number <= SMALL_PARTS ? SMALL : LARGE;
    }
}
