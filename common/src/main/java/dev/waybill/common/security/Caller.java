package dev.waybill.common.security;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.api.account.Plan;
import dev.waybill.common.audit.Actor;

/**
 * The authenticated caller, derived from the API key or token only.
 *
 * @param workspaceId workspace of the request; null if an organization-wide key specified none
 * @param boundToWorkspace whether the key is restricted to that workspace
 * @param apiKeyId null for a bearer token
 * @param subject subject of a bearer token; null for an API key
 * @param application whether the caller is a deployed application, which may only send traces
 * @param expiresAt when the API key expires; null for a key that does not expire and for a bearer token
 */
public record Caller(UUID organizationId, Plan plan, @Nullable UUID workspaceId, boolean boundToWorkspace,
        @Nullable UUID apiKeyId, @Nullable String subject, KeyRole role, boolean application, @Nullable Instant expiresAt) {

    static final String ATTRIBUTE = "waybill.caller";

    Actor actor() {
        return apiKeyId == null ? Actor.token(subject, organizationId, workspaceId)
                : Actor.apiKey(apiKeyId, organizationId, workspaceId);
    }
}
