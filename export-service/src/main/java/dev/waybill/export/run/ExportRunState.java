package dev.waybill.export.run;

import java.util.Arrays;
import java.util.Set;

import dev.waybill.common.api.export.BulkExportRunStatus;

/** The states of a run and their transitions. Clients do not see {@link #COMMITTING}. */
public enum ExportRunState {
    /** Waits for a worker. */
    CREATED("Created", BulkExportRunStatus.CREATED, "RUNNING", "CANCELLED", "TIMED_OUT"),
    /** Being written, or waiting for a retry. None of its files is visible. */
    RUNNING("Running", BulkExportRunStatus.RUNNING, "COMMITTING", "COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"),
    /** The commit record is written; the lease holder completes the uploads. */
    COMMITTING("Committing", BulkExportRunStatus.RUNNING, "COMPLETED", "RUNNING", "FAILED", "CANCELLED", "TIMED_OUT"),
    COMPLETED("Completed", BulkExportRunStatus.COMPLETED),
    FAILED("Failed", BulkExportRunStatus.FAILED),
    TIMED_OUT("TimedOut", BulkExportRunStatus.TIMED_OUT),
    CANCELLED("Cancelled", BulkExportRunStatus.CANCELLED);

    private final String stored;
    private final BulkExportRunStatus status;
    private final Set<String> successors;

    ExportRunState(String stored, BulkExportRunStatus status, String... successors) {
        this.stored = stored;
        this.status = status;
        this.successors = Set.of(successors);
    }

    static ExportRunState parse(String stored) {
        return Arrays.stream(values())
                .filter(state -> state.stored.equals(stored))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown state of a run: " + stored));
    }

    /** Returns the status that clients see. */
    public BulkExportRunStatus status() {
        return status;
    }

    /** Returns whether a transition to {@code next} is allowed. */
    public boolean mayBecome(ExportRunState next) {
        return successors.contains(next.name());
    }

    /** Returns whether this state has no successor. */
    public boolean isFinal() {
        return successors.isEmpty();
    }

    /** Returns the value stored in the database. */
    String stored() {
        return stored;
    }

    /** Returns the stored values of all states with a transition to this one. */
    String[] storedPredecessors() {
        return Arrays.stream(values())
                .filter(state -> state.mayBecome(this))
                .map(ExportRunState::stored)
                .toArray(String[]::new);
    }
}
