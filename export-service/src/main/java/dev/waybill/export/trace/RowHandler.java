package dev.waybill.export.trace;

import java.io.IOException;

/** Takes the rows of one read, one after the other, in the order of start time and id. */
@FunctionalInterface
public interface RowHandler {

    /** Takes note of what the read will see of the traces, before its first row. */
    default void started(Snapshot snapshot) {
        // for most of no interest
    }

    /** Takes a row, which is only valid until this method returns: the reader uses the same one for the next. */
    void row(RunRow row) throws IOException;
}
