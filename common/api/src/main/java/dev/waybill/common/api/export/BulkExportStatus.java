package dev.waybill.common.api.export;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The status of an export, with its allowed successors. */
@Schema(enumeration = { "Created", "Running", "Completed", "Failed", "TimedOut", "Cancelled", "IntervalScheduled" })
public enum BulkExportStatus {
    /** The export waits for a permit. */
    CREATED("Created", "RUNNING", "CANCELLED"),
    /** The files of its days are being written. */
    RUNNING("Running", "COMPLETED", "FAILED", "TIMED_OUT", "CANCELLED"),
    /** All files and the manifest are in the bucket. */
    COMPLETED("Completed"),
    /** One of its runs failed permanently. */
    FAILED("Failed"),
    /** The export or one of its runs exceeded its time limit. */
    TIMED_OUT("TimedOut"),
    /** The export was cancelled and cannot be restarted. */
    CANCELLED("Cancelled"),
    /** An active scheduled export. */
    INTERVAL_SCHEDULED("IntervalScheduled", "CANCELLED");

    private final String wireName;
    private final Set<String> successors;

    BulkExportStatus(String wireName, String... successors) {
        this.wireName = wireName;
        this.successors = Set.of(successors);
    }

    /** Parses the name used in the API and the database. */
    public static BulkExportStatus parse(String wireName) {
        return Arrays.stream(values())
                .filter(status -> status.wireName.equals(wireName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown export status: " + wireName));
    }

    /** Returns whether {@code next} is an allowed successor. */
    public boolean mayBecome(BulkExportStatus next) {
        return successors.contains(next.name());
    }

    /** Returns whether the status has no successors. */
    public boolean isFinal() {
        return successors.isEmpty();
    }

    /** Returns the statuses that have this one as a successor. */
    public Set<BulkExportStatus> predecessors() {
        EnumSet<BulkExportStatus> predecessors = EnumSet.noneOf(BulkExportStatus.class);
        List.of(values()).stream()
                .filter(status -> status.mayBecome(this))
                .forEach(predecessors::add);
        return predecessors;
    }

    @Override
    public String toString() {
        return wireName;
    }
}
