package dev.waybill.common.api.notification;

import java.util.Locale;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import com.fasterxml.jackson.annotation.JsonValue;

/** The status of a delivery of a notification. */
@Schema(name = "NotificationDeliveryStatus", enumeration = { "pending", "delivered", "failed" })
public enum DeliveryStatus {
    /** The next attempt is due now or later. */
    PENDING,
    DELIVERED,
    /** No further attempt is made. */
    FAILED;

    /** Parses the name used in the API and the database. */
    public static DeliveryStatus parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
