package dev.waybill.export.parquet;

import java.util.Arrays;
import java.util.Optional;

import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** The compression of the pages of an export's files (contract.md "Bulk export"). */
public enum Compression {
    NONE("none", CompressionCodecName.UNCOMPRESSED),
    GZIP("gzip", CompressionCodecName.GZIP),
    SNAPPY("snappy", CompressionCodecName.SNAPPY),
    ZSTANDARD("zstandard", CompressionCodecName.ZSTD);

    private final String wireName;
    private final CompressionCodecName codec;

    Compression(String wireName, CompressionCodecName codec) {
        this.wireName = wireName;
        this.codec = codec;
    }

    /** Returns the compression with this name in requests and responses. */
    public static Optional<Compression> of(String wireName) {
        return Arrays.stream(values())
                .filter(compression -> compression.wireName.equals(wireName))
                .findFirst();
    }

    /** Returns the name in requests and responses. */
    public String wireName() {
        return wireName;
    }

    CompressionCodecName codec() {
        return codec;
    }
}
