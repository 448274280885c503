package dev.waybill.experiment.run;

/** Signals that a patch arrived before its run; the batch must be written again under the exclusive workspace lock. */
public final class EarlyPatchException extends RuntimeException {

    EarlyPatchException() {
        super("a patch arrived before its run", null, false, false);
    }
}
