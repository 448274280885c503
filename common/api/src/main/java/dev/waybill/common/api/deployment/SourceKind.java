package dev.waybill.common.api.deployment;

import java.util.Locale;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import com.fasterxml.jackson.annotation.JsonValue;

/** The type of a deployment's source. */
@Schema(enumeration = { "repohost", "github", "external_docker" })
public enum SourceKind {
    REPOHOST,
    /** Equivalent to {@code repohost}; responses contain the value that was sent. */
    GITHUB,
    /** A container image that was built elsewhere. */
    EXTERNAL_DOCKER;

    /** Parses the name used in the API and the database. */
    public static SourceKind parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** Returns whether the sources are equal or names of the same type. */
    public boolean isEquivalentTo(SourceKind other) {
        return this == other || (this != EXTERNAL_DOCKER && other != EXTERNAL_DOCKER);
    }

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
