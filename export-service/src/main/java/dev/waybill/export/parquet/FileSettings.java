package dev.waybill.export.parquet;

import java.util.Map;

/**
 * How files are written.
 *
 * @param version of Waybill, for the files' {@code created_by}
 * @param fileBytes about the largest size of a file: a new one is begun before another row group could exceed it
 * @param rowGroupBytes how many bytes of pages are held in memory before they are written as a row group
 * @param metadata key-value pairs for every file's footer
 */
public record FileSettings(Compression compression, String version, long fileBytes, long rowGroupBytes,
        Map<String, String> metadata) {

    public static final long DEFAULT_FILE_BYTES = 256L << 20;
    public static final long DEFAULT_ROW_GROUP_BYTES = 64L << 20;

    public FileSettings {
        if (rowGroupBytes < 1 || fileBytes < rowGroupBytes) {
            throw new IllegalArgumentException("a file holds at least one row group");
        }
        metadata = Map.copyOf(metadata);
    }

    /** Files of the usual sizes. */
    public static FileSettings of(Compression compression, String version, Map<String, String> metadata) {
        return new FileSettings(compression, version, DEFAULT_FILE_BYTES, DEFAULT_ROW_GROUP_BYTES, metadata);
    }
}
