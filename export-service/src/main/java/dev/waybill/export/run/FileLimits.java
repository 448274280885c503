package dev.waybill.export.run;

/**
 * How large what an export writes may be, as far as the heap allows.
 *
 * @param maxRowBytes the most bytes of text in a row; texts of a larger one are replaced
 * @param maxRowGroupBytes the most bytes of a row group
 * @param maxFileBytes about the most bytes of a file
 */
public record FileLimits(long maxRowBytes, long maxRowGroupBytes, long maxFileBytes) {

    /** The share of a run's heap that its row group may take; the rest is parts, open pages and everything else. */
    private static final int ROW_GROUP_SHARE = 4;

    /** The share of a run's heap that one row may take: the driver holds it whole. */
    private static final int ROW_SHARE = 4;

    /** The limits where each run has so much of the heap. */
    public static FileLimits of(long heapBytes, long rowBytes, long rowGroupBytes, long fileBytes) {
        long group = Math.min(rowGroupBytes, heapBytes / ROW_GROUP_SHARE);
        return new FileLimits(Math.min(rowBytes, heapBytes / ROW_SHARE), group, Math.max(fileBytes, group));
    }
}
