package dev.waybill.common.trace;

import java.util.List;

/**
 * The size of a stored run: the sum of the UTF-8 bytes of its texts. Intake rejects larger runs, so that every export can write
 * each run; export-service measures rows the same way (docs/decisions/0130).
 */
public final class RunSize {

    /** Maximum total size of the {@link #COLUMNS} of a run in bytes. */
    public static final long MAX_BYTES = 20L << 20;

    /** Columns of {@code trace.runs} that count; for {@code tags} the bytes of all elements. */
    public static final List<String> COLUMNS = List.of("name", "inputs", "outputs", "error", "events", "extra", "metadata",
            "tags");

    private RunSize() {
    }
}
