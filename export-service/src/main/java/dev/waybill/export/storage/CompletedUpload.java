package dev.waybill.export.storage;

/**
 * A completed upload, whose object is visible.
 *
 * @param etag the entity tag without quotes; empty if the store returns none
 * @param verified whether the size was compared with the written size; false if the credentials do not allow reading
 */
public record CompletedUpload(String key, String etag, boolean verified) {
}
