package dev.waybill.common.secret;

import org.jspecify.annotations.Nullable;

/** A stored secret cannot be read; the message names the reason, never the secret. */
public class SecretUnavailableException extends RuntimeException {

    private final boolean isKeyMissing;

    private SecretUnavailableException(String message, boolean isKeyMissing, @Nullable Throwable cause) {
        super(message, cause);
        this.isKeyMissing = isKeyMissing;
    }

    static SecretUnavailableException keyMissing(String keyId) {
        return new SecretUnavailableException("a stored secret needs waybill.encryption.keys." + keyId
                + ", which is not configured", true, null);
    }

    static SecretUnavailableException damaged(String message, @Nullable Throwable cause) {
        return new SecretUnavailableException(message, false, cause);
    }

    /** Whether configuring a key mends it, perhaps on another replica already; else nothing does. */
    public boolean isKeyMissing() {
        return isKeyMissing;
    }
}
