package dev.waybill.local.soak;

/** A promise was broken. */
public final class VerificationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    VerificationException(String message) {
        super(message);
    }
}
