package dev.waybill.export.storage;

/**
 * The metadata of a stored object.
 *
 * @param etag the entity tag without quotes; empty if the store returns none
 */
public record StoredObject(long size, String etag) {
}
