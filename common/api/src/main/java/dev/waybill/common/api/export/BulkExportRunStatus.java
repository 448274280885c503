package dev.waybill.common.api.export;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The status of an export run. */
@Schema(enumeration = { "Created", "Running", "Completed", "Failed", "TimedOut", "Cancelled" })
public enum BulkExportRunStatus {
    CREATED("Created"),
    RUNNING("Running"),
    COMPLETED("Completed"),
    FAILED("Failed"),
    TIMED_OUT("TimedOut"),
    CANCELLED("Cancelled");

    private final String wireName;

    BulkExportRunStatus(String wireName) {
        this.wireName = wireName;
    }

    @Override
    public String toString() {
        return wireName;
    }
}
