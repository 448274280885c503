package dev.waybill.export.storage;

/**
 * An object as the store tells of it.
 *
 * @param etag the entity tag without quotes; empty where the store names none
 */
public record StoredObject(long size, String etag) {
}
