package dev.waybill.common.audit;

import java.util.UUID;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The authenticated caller as the audit log identifies it. Contains no secret.
 *
 * @param kind type of the id: {@code api_key, token, operator, caller} or {@code anonymous}
 * @param id id of the API key, or subject of the bearer token
 */
public record Actor(String kind, @Nullable String id, @Nullable UUID organizationId, @Nullable UUID tenantId) {

    /** A caller without valid credentials. */
    public static final Actor ANONYMOUS = new Actor("anonymous", null, null, null);
    /** The operator of the installation. */
    public static final Actor OPERATOR = new Actor("operator", null, null, null);

    private static final Pattern VALID_SUBJECT = Pattern.compile("[A-Za-z0-9._:@|+-]{1,128}");

    /** Returns the actor for an API key. */
    public static Actor apiKey(UUID id, UUID organizationId, @Nullable UUID tenantId) {
        return new Actor("api_key", id.toString(), organizationId, tenantId);
    }

    /**
     * Returns the actor for a bearer token. The identity provider controls the subject, so the method omits one that does not
     * fit a log line.
     */
    public static Actor token(@Nullable String subject, UUID organizationId, @Nullable UUID tenantId) {
        boolean fits = subject != null && VALID_SUBJECT.matcher(subject).matches();
        return new Actor("token", fits ? subject : null, organizationId, tenantId);
    }

    /** Returns the actor for a caller of a deployed application, with the principal that the runtime assigned. */
    public static Actor caller(String principal) {
        return new Actor("caller", principal, null, null);
    }
}
