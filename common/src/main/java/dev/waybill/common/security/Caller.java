package dev.waybill.common.security;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.audit.Actor;

/**
 * Who calls, as the API key or token says; never as the request's other contents say.
 *
 * @param workspaceId the workspace the call is about; null when an organization-wide key named none
 * @param boundToWorkspace whether the key belongs to that one workspace, so that it may not act beyond it
 * @param apiKeyId null for a bearer token
 * @param subject whom a bearer token names; null for an API key
 * @param application whether it is a deployed application, which may do less than its role says: nothing but trace
 * @param expiresAt when the API key stops working; null for one without an end, and for a bearer token
 */
public record Caller(UUID organizationId, Plan plan, @Nullable UUID workspaceId, boolean boundToWorkspace,
        @Nullable UUID apiKeyId, @Nullable String subject, Role role, boolean application, @Nullable Instant expiresAt) {

    static final String ATTRIBUTE = "waybill.caller";

    Actor actor() {
        return apiKeyId == null ? Actor.token(subject, organizationId, workspaceId)
                : Actor.apiKey(apiKeyId, organizationId, workspaceId);
    }
}
