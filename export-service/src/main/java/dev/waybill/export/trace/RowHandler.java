package dev.waybill.export.trace;

import java.io.IOException;

/** Receives the rows of one read, ordered by start time and id. */
@FunctionalInterface
public interface RowHandler {

    /** Receives the snapshot of the read, before its first row. */
    default void started(Snapshot snapshot) {
        // Most handlers do not use the snapshot.
    }

    /** Receives a row, which is valid only until this method returns: the reader reuses it for the next row. */
    void row(RunRow row) throws IOException;
}
