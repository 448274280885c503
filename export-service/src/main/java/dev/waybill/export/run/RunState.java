package dev.waybill.export.run;

import java.util.Arrays;
import java.util.Set;

import dev.waybill.common.api.export.BulkExportRunStatus;

/** Where a run stands and where it may go from there. One more than users see: {@link #COMMITTING}. */
public enum RunState {
    /** Waits for a worker. */
    CREATED("Created", BulkExportRunStatus.CREATED, "RUNNING", "CANCELLED", "TIMED_OUT"),
    /** Being written, or waiting to be tried again. Nothing of it is visible. */
    RUNNING("Running", BulkExportRunStatus.RUNNING, "COMMITTING", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"),
    /** The commit record is written; its uploads are being completed, by whoever holds the lease. */
    COMMITTING("Committing", BulkExportRunStatus.RUNNING, "COMPLETED", "RUNNING", "FAILED", "CANCELLED", "TIMED_OUT"),
    COMPLETED("Completed", BulkExportRunStatus.COMPLETED),
    FAILED("Failed", BulkExportRunStatus.FAILED),
    TIMED_OUT("TimedOut", BulkExportRunStatus.TIMED_OUT),
    CANCELLED("Cancelled", BulkExportRunStatus.CANCELLED);

    private final String stored;
    private final BulkExportRunStatus status;
    private final Set<String> successors;

    RunState(String stored, BulkExportRunStatus status, String... successors) {
        this.stored = stored;
        this.status = status;
        this.successors = Set.of(successors);
    }

    static RunState parse(String stored) {
        return Arrays.stream(values())
                .filter(state -> state.stored.equals(stored))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no state of a run: " + stored));
    }

    /** What users see of it. */
    public BulkExportRunStatus status() {
        return status;
    }

    /** Whether it may follow on this one. */
    public boolean mayBecome(RunState next) {
        return successors.contains(next.name());
    }

    /** Whether nothing follows on it. */
    public boolean isFinal() {
        return successors.isEmpty();
    }

    /** As the database spells it. */
    String stored() {
        return stored;
    }

    /** Those that may become this one, as the database spells them: the condition of every statement that sets it. */
    String[] storedPredecessors() {
        return Arrays.stream(values())
                .filter(state -> state.mayBecome(this))
                .map(RunState::stored)
                .toArray(String[]::new);
    }
}
