package dev.waybill.export.parquet;

import java.util.Map;

/**
 * Settings of an export's files.
 *
 * @param version Waybill's version, for the files' {@code created_by}
 * @param fileBytes target size of a file: a new file starts before another row group could exceed it
 * @param rowGroupBytes maximum size of the pages that are buffered before they are written as a row group
 * @param rowGroupRows maximum number of rows of a row group
 * @param metadata key-value pairs for every file's footer
 */
public record FileSettings(Compression compression, String version, long fileBytes, long rowGroupBytes,
        long rowGroupRows, Map<String, String> metadata) {

    public static final long DEFAULT_FILE_BYTES = 256L << 20;
    public static final long DEFAULT_ROW_GROUP_BYTES = 64L << 20;
    /** Readers process row groups in parallel, so narrow rows are divided among several groups. */
    public static final long DEFAULT_ROW_GROUP_ROWS = 1L << 20;

    public FileSettings {
        if (rowGroupBytes < 1 || fileBytes < rowGroupBytes) {
            throw new IllegalArgumentException("fileBytes must be at least rowGroupBytes, and rowGroupBytes at least 1");
        }
        metadata = Map.copyOf(metadata);
    }

    /** Creates settings with the default number of rows. */
    public FileSettings(Compression compression, String version, long fileBytes, long rowGroupBytes,
            Map<String, String> metadata) {
        this(compression, version, fileBytes, rowGroupBytes, DEFAULT_ROW_GROUP_ROWS, metadata);
    }

    /** Returns settings with the default sizes. */
    public static FileSettings of(Compression compression, String version, Map<String, String> metadata) {
        return new FileSettings(compression, version, DEFAULT_FILE_BYTES, DEFAULT_ROW_GROUP_BYTES, metadata);
    }
}
