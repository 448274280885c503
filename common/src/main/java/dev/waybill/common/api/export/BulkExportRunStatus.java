package dev.waybill.common.api.export;

/** Where one day of an export stands (contract.md "Bulk export"). */
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
