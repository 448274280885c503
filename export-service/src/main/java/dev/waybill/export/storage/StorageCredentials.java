package dev.waybill.export.storage;

import org.jspecify.annotations.Nullable;

/** A customer's key pair, with a session token if it is temporary. */
public record StorageCredentials(String accessKeyId, String secretAccessKey, @Nullable String sessionToken) {

    /** Redacted, so that credentials never appear in logs. */
    @Override
    public String toString() {
        return "StorageCredentials[redacted]";
    }
}
