package dev.waybill.export.storage;

/**
 * An upload whose parts are all stored but which is not completed. Commit records contain it, so that any later process can
 * complete the object (docs/architecture.md "Export").
 *
 * @param token what the store requires to complete it ({@link MultipartClient#token}); opaque to others
 * @param sha256 of the complete object, lower-case hexadecimal
 */
public record PreparedUpload(String key, String uploadId, String token, long size, String sha256) {
}
