package dev.waybill.export.storage;

import org.jspecify.annotations.Nullable;

/**
 * Settings of every object written to a bucket; null selects the bucket's default.
 *
 * @param acl a canned access control list
 * @param encryption the type of server-side encryption
 * @param kmsKeyId null for the account's default key
 */
public record ObjectSettings(@Nullable String acl, @Nullable String encryption, @Nullable String kmsKeyId) {

    /** The bucket's defaults. */
    public static final ObjectSettings DEFAULTS = new ObjectSettings(null, null, null);

    /** Returns whether requests carry none of them. */
    public boolean isEmpty() {
        return equals(DEFAULTS);
    }
}
