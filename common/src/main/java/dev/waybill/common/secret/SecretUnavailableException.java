package dev.waybill.common.secret;

import org.jspecify.annotations.Nullable;

/** A stored secret cannot be decrypted. The message contains the reason, never the secret. */
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

    /** Returns whether configuring a key resolves the failure; another replica may already have the key. */
    public boolean isKeyMissing() {
        return isKeyMissing;
    }
}
