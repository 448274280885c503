package dev.waybill.runtime.storage;

/** The run is not running in this attempt any more; the receiver must stop it and write nothing. */
public final class FenceLostException extends RuntimeException {

    private final transient RunFence fence;

    /** Creates the exception for a fence. */
    public FenceLostException(RunFence fence) {
        super("attempt %s of run %s may not write: the run has ended, was claimed by another replica, or its thread was deleted"
                .formatted(fence.attempt(), fence.run()));
        this.fence = fence;
    }

    /** Returns the lost fence. */
    public RunFence fence() {
        return fence;
    }
}
