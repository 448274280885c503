package dev.waybill.soak;

/** An export differs from its source. */
public final class VerificationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    VerificationException(String message) {
        super(message);
    }
}
