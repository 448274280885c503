package dev.waybill.common.api.notification;

import java.util.Arrays;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import com.fasterxml.jackson.annotation.JsonValue;

/** An event that a workspace can be notified of. */
@Schema(enumeration = { "export.failed", "schedule.paused", "revision.failed" })
public enum NotificationEvent {
    /** An export failed or exceeded its maximum duration. */
    EXPORT_FAILED("export.failed"),
    /** A schedule was paused after repeated failures that need a change by the customer. */
    SCHEDULE_PAUSED("schedule.paused"),
    /** A revision could not be created, built or deployed. */
    REVISION_FAILED("revision.failed");

    private final String wireName;

    NotificationEvent(String wireName) {
        this.wireName = wireName;
    }

    /** Parses the name used in the API and the database. */
    public static NotificationEvent parse(String wireName) {
        return Arrays.stream(values())
                .filter(event -> event.wireName.equals(wireName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown notification event: " + wireName));
    }

    @JsonValue
    @Override
    public String toString() {
        return wireName;
    }
}
