package dev.waybill.export.storage;

import org.jspecify.annotations.Nullable;

/** A customer's key pair, with a session token when it is a temporary one. */
public record StorageCredentials(String accessKeyId, String secretAccessKey, @Nullable String sessionToken) {

    /** Nothing of it belongs in a log. */
    @Override
    public String toString() {
        return "StorageCredentials[redacted]";
    }
}
