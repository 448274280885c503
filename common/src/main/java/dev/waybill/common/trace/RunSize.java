package dev.waybill.common.trace;

import java.util.List;

/**
 * The size of a stored run: the UTF-8 bytes of its texts, added up. Intake rejects a run above the limit, so that every export
 * can
 * write each run; export-service measures rows the same way (docs/decisions/0130).
 */
public final class RunSize {

    /** The most bytes that the {@link #COLUMNS} of a run may have together. */
    public static final long MAX_BYTES = 20L << 20;

    /** The columns of {@code trace.runs} that count; of {@code tags} the bytes of all elements. */
    public static final List<String> COLUMNS = List.of("name", "inputs", "outputs", "error", "events", "extra", "metadata",
            "tags");

    private RunSize() {
    }
}
