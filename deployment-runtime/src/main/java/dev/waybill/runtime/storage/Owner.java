package dev.waybill.runtime.storage;

/**
 * Owner of threads: the workspace of the key that created them, or one name for all callers where keys are configured.
 *
 * @param name at most 255 characters
 */
public record Owner(String name) {
}
