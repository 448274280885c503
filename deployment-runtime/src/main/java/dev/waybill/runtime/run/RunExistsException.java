package dev.waybill.runtime.run;

/** Another replica has stored a run with the same idempotency key meanwhile. */
final class RunExistsException extends RuntimeException {

    RunExistsException() {
        super("A run with this idempotency key exists.");
    }
}
