package dev.waybill.common.secret;

import org.jspecify.annotations.Nullable;

/** A stored secret cannot be read; the message names the reason, never the secret. */
public class SecretUnavailableException extends RuntimeException {

    SecretUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
