package dev.waybill.experiment.run;

/** Who else may be writing runs of the same workspace meanwhile. */
public enum LockMode {
    /** Any other batch: the usual way. */
    SHARED,
    /** Nobody: for what must not miss a run that is just being posted. */
    ALONE
}
