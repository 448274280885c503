package dev.waybill.runtime.storage;

/** The storage rejects the checkpoints of the end of a run; neither they nor the end were stored, and a retry fails, too. */
public final class ChangesRejectedException extends RuntimeException {

    /** Creates the exception with the failure of the storage. */
    public ChangesRejectedException(Throwable cause) {
        super("The storage rejected the last checkpoints of a run: " + cause.getMessage(), cause);
    }
}
