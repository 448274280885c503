package dev.waybill.local.soak;

/** A promise was broken. */
public final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1;

    Violation(String message) {
        super(message);
    }
}
