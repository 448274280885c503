package dev.waybill.export.storage;

import java.util.List;

/**
 * An upload whose parts are all stored but which is not completed. Commit records contain it, so that any later process can
 * complete the object (docs/architecture.md "Export").
 *
 * @param sha256 of the complete object, lower-case hexadecimal
 */
public record PreparedUpload(String key, String uploadId, List<UploadedPart> parts, long size, String sha256) {

    public PreparedUpload {
        parts = List.copyOf(parts);
    }
}
