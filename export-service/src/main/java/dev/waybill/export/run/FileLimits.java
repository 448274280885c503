package dev.waybill.export.run;

/**
 * Size limits of exported rows, row groups and files, reduced to what the heap allows.
 *
 * @param maxRowBytes maximum size of the texts of a row; texts of larger rows are replaced
 * @param maxRowGroupBytes maximum size of a row group
 * @param maxFileBytes approximate maximum size of a file
 */
public record FileLimits(long maxRowBytes, long maxRowGroupBytes, long maxFileBytes) {

    /** Divisor of a run's heap for its row group; the rest is for upload parts, open pages and other objects. */
    private static final int ROW_GROUP_SHARE = 4;

    /** Divisor of a run's heap for one row: the database driver buffers each row completely. */
    private static final int ROW_SHARE = 4;

    /** Returns the limits for {@code heapBytes} of heap per run. */
    public static FileLimits of(long heapBytes, long rowBytes, long rowGroupBytes, long fileBytes) {
        long group = Math.min(rowGroupBytes, heapBytes / ROW_GROUP_SHARE);
        return new FileLimits(Math.min(rowBytes, heapBytes / ROW_SHARE), group, Math.max(fileBytes, group));
    }
}
