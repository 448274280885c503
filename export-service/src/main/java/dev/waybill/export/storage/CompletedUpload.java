package dev.waybill.export.storage;

/**
 * An object that is visible now.
 *
 * @param etag the entity tag without quotes; empty where the store names none
 * @param verified whether its size was compared with what was written; false where the credentials may not read
 */
public record CompletedUpload(String key, String etag, boolean verified) {
}
