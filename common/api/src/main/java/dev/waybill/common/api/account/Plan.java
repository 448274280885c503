package dev.waybill.common.api.account;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** The plan of an organization. */
public enum Plan {
    FREE,
    PLUS,
    ENTERPRISE;

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Parses the name used in the API and the database. */
    public static Plan parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
