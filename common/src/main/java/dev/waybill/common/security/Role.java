package dev.waybill.common.security;

/** Role names for {@code @RolesAllowed}. */
public final class Role {

    /** Allows all API keys except those of deployed applications. */
    public static final String MEMBERS = "member";
    /** Allows keys with the role admin. */
    public static final String ADMINS = "admin";
    /** Allows keys of deployed applications, which may only send traces to their workspace, and all keys with more rights. */
    public static final String APPLICATIONS = "application";
    /** Allows the operator's key, which is configured and belongs to no organization. */
    public static final String OPERATOR = "operator";

    private Role() {
    }
}
