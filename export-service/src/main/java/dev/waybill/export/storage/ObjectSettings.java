package dev.waybill.export.storage;

import org.jspecify.annotations.Nullable;

/**
 * Request headers that every object of a bucket is written with; null leaves the bucket's default.
 *
 * @param acl a canned access control list
 * @param encryption the type of server-side encryption
 * @param kmsKeyId null for the account's default key
 */
public record ObjectSettings(@Nullable String acl, @Nullable String encryption, @Nullable String kmsKeyId) {

    /** The bucket's defaults. */
    public static final ObjectSettings DEFAULTS = new ObjectSettings(null, null, null);

    /** Returns whether a request carries any of them. */
    public boolean isEmpty() {
        return equals(DEFAULTS);
    }
}
