package dev.waybill.controlplane.engine;

/** Aborts a step of an engine; the message is the reason that the user reads. */
public final class StepFailedException extends RuntimeException {

    public StepFailedException(String reason) {
        super(reason, null, false, false);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
