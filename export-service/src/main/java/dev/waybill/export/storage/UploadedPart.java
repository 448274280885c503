package dev.waybill.export.storage;

import org.jspecify.annotations.Nullable;

/**
 * A part of an upload, as acknowledged by the store.
 *
 * @param number starting with 1
 * @param etag the entity tag, exactly as returned
 * @param crc32 the part's checksum if the client sends checksums; the completion must repeat it
 */
public record UploadedPart(int number, String etag, long size, @Nullable String crc32) {
}
