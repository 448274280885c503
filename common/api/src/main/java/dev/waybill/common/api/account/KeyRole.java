package dev.waybill.common.api.account;

import java.util.Locale;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import com.fasterxml.jackson.annotation.JsonValue;

/** The role of an API key: members use the services, admins also manage accounts and destinations. */
@Schema(name = "Role")
public enum KeyRole {
    MEMBER,
    ADMIN;

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Parses the name used in the API and the database. */
    public static KeyRole parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
