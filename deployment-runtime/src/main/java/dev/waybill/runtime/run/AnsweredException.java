package dev.waybill.runtime.run;

/** The interrupts that a run was to answer have changed: another run has answered them, or a client has updated the state. */
public final class AnsweredException extends RuntimeException {

    AnsweredException() {
        super("The interrupts of the thread have changed.");
    }
}
