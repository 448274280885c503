package dev.waybill.local.stack;

/** Something stands in the way of starting; the message is written for the person at the terminal. */
public final class StackException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public StackException(String message) {
        super(message);
    }

    public StackException(String message, Throwable cause) {
        super(message, cause);
    }
}
