package dev.waybill.export.storage;

import java.time.Instant;

/** A multipart upload that is neither completed nor aborted. */
public record IncompleteUpload(String key, String uploadId, Instant startedAt) {
}
