package dev.waybill.experiment.run;

/** Mode of the workspace lock while a batch is written. */
public enum LockMode {
    /** Other batches may be written concurrently; the default. */
    SHARED,
    /** No other batch is written concurrently, so that no run is missed that another transaction is inserting. */
    EXCLUSIVE
}
