package dev.waybill.export.storage;

/**
 * An object that is visible now.
 *
 * @param verified whether its size was compared with what was written; false where the credentials may not read
 */
public record CompletedUpload(String key, String etag, boolean verified) {
}
