package dev.waybill.common.api.deployment;

import java.util.Locale;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a deployment is made from. */
@Schema(enumeration = { "repohost", "github", "external_docker" })
public enum SourceKind {
    REPOHOST,
    /** The same as {@code repohost}, answered as it was sent. */
    GITHUB,
    /** A container image that is made elsewhere. */
    EXTERNAL_DOCKER;

    /** The kind of that name, as the wire and the database spell it. */
    public static SourceKind parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
