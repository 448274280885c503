package dev.waybill.common.api.audit;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** Result of a request in the audit log. */
public enum AuditOutcome {
    /** The response has a status below 400. */
    DONE,
    /** The stored response of an earlier request with the same {@code Idempotency-Key} was returned. */
    REPLAYED,
    /** The response has a status from 400 to 499; nothing was changed. */
    REFUSED,
    /** The response has a status of 500 or above. */
    FAILED;

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Parses the name used in the API and the database. */
    public static AuditOutcome parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
