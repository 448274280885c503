package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.security.Caller;
import dev.waybill.common.security.Plan;
import dev.waybill.common.security.Role;

/**
 * The authenticated caller.
 *
 * @param tenantId workspace of the request; null if an organization-wide key specified none
 * @param apiKeyId null for a JSON Web Token
 * @param expiresAt when the API key expires; null for a key that does not expire
 */
public record WhoamiResponse(UUID organizationId, Plan plan, @Nullable UUID tenantId, @Nullable UUID apiKeyId, Role role,
        @Nullable Instant expiresAt) {

    /** Creates the response for a caller. */
    public static WhoamiResponse from(Caller caller) {
        return new WhoamiResponse(caller.organizationId(), caller.plan(), caller.workspaceId(), caller.apiKeyId(),
                caller.role(), caller.expiresAt());
    }
}
