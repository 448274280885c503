package dev.waybill.controlplane.source;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** The API that a repository host provides. */
public enum Provider {
    GITHUB,
    GITLAB,
    GITEA,
    /** Any other host: its repositories are deployed by URL and cannot be listed. */
    OTHER;

    /** Parses the form of the API and the database. */
    public static Provider parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
