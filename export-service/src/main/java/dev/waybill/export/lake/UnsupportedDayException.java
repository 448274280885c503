package dev.waybill.export.lake;

import java.io.IOException;

import dev.waybill.export.trace.Snapshot;

/** The day contains a run whose texts the files would have to truncate, so it is read from PostgreSQL. */
final class UnsupportedDayException extends IOException {

    private static final long serialVersionUID = 1;

    private final transient Snapshot snapshot;

    UnsupportedDayException(Snapshot snapshot) {
        super("a run of the day is too large");
        this.snapshot = snapshot;
    }

    /** Returns the snapshot that contains the run. */
    Snapshot snapshot() {
        return snapshot;
    }
}
