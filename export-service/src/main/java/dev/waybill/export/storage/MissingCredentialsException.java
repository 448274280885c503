package dev.waybill.export.storage;

/** The environment of the service holds no credentials. */
final class MissingCredentialsException extends RuntimeException {

    MissingCredentialsException(Throwable cause) {
        super("the environment holds no credentials", cause);
    }
}
