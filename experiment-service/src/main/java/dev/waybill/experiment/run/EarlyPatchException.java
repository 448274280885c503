package dev.waybill.experiment.run;

/** A change came before its run: the whole batch is to be written again while nobody else writes. */
public final class EarlyPatchException extends RuntimeException {

    EarlyPatchException() {
        super("a change came before its run", null, false, false);
    }
}
