package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.security.Caller;
import dev.waybill.common.security.Plan;
import dev.waybill.common.security.Role;

/**
 * Who the caller is to the service.
 *
 * @param tenantId the workspace that calls are about; null when an organization-wide key named none
 * @param apiKeyId null for a JSON Web Token
 * @param expiresAt when the API key stops working; null for one without an end
 */
public record WhoamiResponse(UUID organizationId, Plan plan, @Nullable UUID tenantId, @Nullable UUID apiKeyId, Role role,
        @Nullable Instant expiresAt) {

    /** What is known of the caller. */
    public static WhoamiResponse from(Caller caller) {
        return new WhoamiResponse(caller.organizationId(), caller.plan(), caller.workspaceId(), caller.apiKeyId(),
                caller.role(), caller.expiresAt());
    }
}
