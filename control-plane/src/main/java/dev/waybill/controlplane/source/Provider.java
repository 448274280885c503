package dev.waybill.controlplane.source;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** Whose way of listing repositories a host has. */
public enum Provider {
    GITHUB,
    GITLAB,
    GITEA,
    /** Any other: its repositories are deployed by their address, and cannot be listed. */
    OTHER;

    /** The provider of that name, as the wire and the database spell it. */
    public static Provider parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
