package dev.waybill.common.security;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** What an organization has subscribed to (contract.md "Accounts and keys"). */
public enum Plan {
    FREE,
    PLUS,
    ENTERPRISE;

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The plan of that name as the wire and the database spell it. */
    public static Plan parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
