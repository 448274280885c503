package dev.waybill.export.storage;

import org.jspecify.annotations.Nullable;

/**
 * A part of an upload, as the store acknowledged it.
 *
 * @param number counting from 1
 * @param etag the entity tag, exactly as answered
 * @param crc32 the part's checksum where the client sends checksums; the completion must then repeat it
 */
public record UploadedPart(int number, String etag, long size, @Nullable String crc32) {
}
