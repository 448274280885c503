package dev.waybill.controlplane.engine.kubernetes;

/** A step ends here, with a reason for the user. */
final class StepFailure extends RuntimeException {

    StepFailure(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
