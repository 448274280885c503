package dev.waybill.local.stack;

/** A stack cannot start. The message is shown to the user. */
public final class StackException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public StackException(String message) {
        super(message);
    }

    public StackException(String message, Throwable cause) {
        super(message, cause);
    }
}
