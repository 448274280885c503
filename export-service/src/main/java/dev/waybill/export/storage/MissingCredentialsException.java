package dev.waybill.export.storage;

/** The service's environment provides no credentials. */
final class MissingCredentialsException extends RuntimeException {

    MissingCredentialsException(Throwable cause) {
        super("the environment provides no credentials", cause);
    }
}
