package dev.waybill.common.api.export;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Where an export stands (contract.md "Bulk export"), and where it may go from there. */
@Schema(enumeration = { "Created", "Running", "Completed", "Failed", "TimedOut", "Cancelled", "IntervalScheduled" })
public enum BulkExportStatus {
    /** Waits for its turn. */
    CREATED("Created", "RUNNING", "CANCELLED"),
    /** Its days are being written. */
    RUNNING("Running", "COMPLETED", "FAILED", "TIMED_OUT", "CANCELLED"),
    /** Every file and the manifest are in the bucket. */
    COMPLETED("Completed"),
    /** One of its runs failed for good. */
    FAILED("Failed"),
    /** It, or one of its runs, took longer than allowed. */
    TIMED_OUT("TimedOut"),
    /** It was cancelled and cannot be restarted. */
    CANCELLED("Cancelled"),
    /** A scheduled export that is alive. */
    INTERVAL_SCHEDULED("IntervalScheduled", "CANCELLED");

    private final String wireName;
    private final Set<String> successors;

    BulkExportStatus(String wireName, String... successors) {
        this.wireName = wireName;
        this.successors = Set.of(successors);
    }

    /** The status of that name on the wire and in the database. */
    public static BulkExportStatus parse(String wireName) {
        return Arrays.stream(values())
                .filter(status -> status.wireName.equals(wireName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no status of an export: " + wireName));
    }

    /** Whether it may follow on this one. */
    public boolean mayBecome(BulkExportStatus next) {
        return successors.contains(next.name());
    }

    /** Whether nothing follows on it. */
    public boolean isFinal() {
        return successors.isEmpty();
    }

    /** Those that may become this one. */
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
