package dev.waybill.common.security;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** The role of an API key: members use the services, admins also manage accounts and destinations. */
public enum Role {
    MEMBER,
    ADMIN;

    /** Role names for {@code @RolesAllowed}. */
    public static final String MEMBERS = "member";
    /** Allows keys with the role admin. */
    public static final String ADMINS = "admin";
    /** Allows keys of deployed applications, which may only send traces to their workspace, and all keys with more rights. */
    public static final String APPLICATIONS = "application";
    /** Allows the operator's key, which is configured and belongs to no organization. */
    public static final String OPERATOR = "operator";

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Parses the name used in the API and the database. */
    public static Role parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
