package dev.waybill.export.storage;

import java.time.Instant;

/** A multipart upload that is neither completed nor aborted. */
public record OpenUpload(String key, String uploadId, Instant startedAt) {
}
