package dev.waybill.common.audit;

import java.util.UUID;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Who asked, as the audit log names them; never a secret.
 *
 * @param kind what stands behind the id: {@code api_key, token, operator, caller} or {@code anonymous}
 * @param id of the API key, or the subject of a bearer token
 */
public record Actor(String kind, @Nullable String id, @Nullable UUID organizationId, @Nullable UUID tenantId) {

    /** Nobody who presented anything that is known. */
    public static final Actor ANONYMOUS = new Actor("anonymous", null, null, null);
    /** The installation's operator. */
    public static final Actor OPERATOR = new Actor("operator", null, null, null);

    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._:@|+-]{1,128}");

    /** The holder of an API key. */
    public static Actor apiKey(UUID id, UUID organizationId, @Nullable UUID tenantId) {
        return new Actor("api_key", id.toString(), organizationId, tenantId);
    }

    /** Whom a bearer token names; its subject is somebody else's text, so it is left out unless it fits a line. */
    public static Actor token(@Nullable String subject, UUID organizationId, @Nullable UUID tenantId) {
        boolean fits = subject != null && SANE.matcher(subject).matches();
        return new Actor("token", fits ? subject : null, organizationId, tenantId);
    }

    /** A caller of a deployed application, by the name that its runtime gives them. */
    public static Actor caller(String principal) {
        return new Actor("caller", principal, null, null);
    }
}
