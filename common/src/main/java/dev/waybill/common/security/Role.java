package dev.waybill.common.security;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** What an API key may do: members use the services, admins also manage accounts and destinations. */
public enum Role {
    MEMBER,
    ADMIN;

    /** Role names for {@code @RolesAllowed}. */
    public static final String MEMBERS = "member";
    /** Allows keys with the role admin. */
    public static final String ADMINS = "admin";
    /**
     * Allows keys of deployed applications, which may do nothing but trace into their workspace, and everybody's who may do
     * more
     * there.
     */
    public static final String APPLICATIONS = "application";
    /** Allows the operator's key, which is configuration and belongs to no organization. */
    public static final String OPERATOR = "operator";

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of that name as the wire and the database spell it. */
    public static Role parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
