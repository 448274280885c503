package dev.waybill.export.trace;

import java.io.IOException;

/** Rows that were read before are not there any more, or elsewhere: going on behind them could repeat or miss rows. */
public final class StaleCheckpointException extends IOException {

    private static final long serialVersionUID = 1;

    StaleCheckpointException() {
        super("runs that were exported already have been changed or removed");
    }
}
