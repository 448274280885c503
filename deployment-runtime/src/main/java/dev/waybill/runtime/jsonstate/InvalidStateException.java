package dev.waybill.runtime.jsonstate;

/** A state that cannot be stored: it is too large, no object, or has a member with an invalid name. */
public final class InvalidStateException extends RuntimeException {

    private final boolean tooLarge;

    private InvalidStateException(String message, boolean tooLarge) {
        super(message);
        this.tooLarge = tooLarge;
    }

    static InvalidStateException tooLarge(long bytes) {
        return new InvalidStateException(
                "The state has %s bytes; the limit is %s. Store large values elsewhere and refer to them."
                        .formatted(bytes, JsonState.MAX_BYTES),
                true);
    }

    /** Returns the failure of a state that is another JSON value than an object. */
    public static InvalidStateException noObject() {
        return invalid("The state must be an object.");
    }

    static InvalidStateException invalid(String message) {
        return new InvalidStateException(message, false);
    }

    /** Returns whether the state exceeds {@link JsonState#MAX_BYTES}. */
    public boolean isTooLarge() {
        return tooLarge;
    }

    /** Returns the message, which names the limit or the member. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}
