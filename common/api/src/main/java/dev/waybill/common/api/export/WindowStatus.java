package dev.waybill.common.api.export;

import java.util.Arrays;
import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The status of a schedule's window: that of its export, or Pending without one. */
@Schema(enumeration = { "Pending", "Created", "Running", "Completed", "Failed", "TimedOut", "Cancelled" })
public enum WindowStatus {
    /** The window has no export yet. */
    PENDING("Pending"),
    CREATED("Created"),
    RUNNING("Running"),
    COMPLETED("Completed"),
    FAILED("Failed"),
    TIMED_OUT("TimedOut"),
    CANCELLED("Cancelled");

    private final String wireName;

    WindowStatus(String wireName) {
        this.wireName = wireName;
    }

    /** Parses the name used in the API. */
    public static WindowStatus parse(String wireName) {
        return Arrays.stream(values())
                .filter(status -> status.wireName.equals(wireName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown window status: " + wireName));
    }

    /** Returns the names of all statuses. */
    public static List<String> names() {
        return Arrays.stream(values()).map(WindowStatus::toString).toList();
    }

    @Override
    public String toString() {
        return wireName;
    }
}
