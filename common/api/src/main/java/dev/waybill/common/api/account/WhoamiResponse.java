package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The authenticated caller.
 *
 * @param tenantId workspace of the request; null if an organization-wide key specified none
 * @param apiKeyId null for a JSON Web Token
 * @param expiresAt when the API key expires; null for a key that does not expire
 */
public record WhoamiResponse(UUID organizationId, Plan plan, @Nullable UUID tenantId, @Nullable UUID apiKeyId, KeyRole role,
        @Nullable Instant expiresAt) {
}
