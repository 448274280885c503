package dev.waybill.export.trace;

import java.io.IOException;

/** Rows before a checkpoint were changed or removed: continuing after it could repeat or skip rows. */
public final class StaleCheckpointException extends IOException {

    private static final long serialVersionUID = 1;

    StaleCheckpointException() {
        super("already exported runs have been changed or removed");
    }
}
