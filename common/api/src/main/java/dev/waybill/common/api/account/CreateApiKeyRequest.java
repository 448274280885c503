package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Body of {@code POST /v1/api-keys}.
 *
 * @param name display name; need not be unique
 * @param workspaceId the only workspace that the key gives access to; null for all workspaces of the organization
 * @param role {@code member} if absent
 * @param expiresAt when the key expires; null for never
 */
public record CreateApiKeyRequest(
        @NotNull(message = "is required") @AccountName @Schema(examples = "CI") String name,
        @Nullable @Schema(description = "The only workspace that the key gives access to; null or absent for all workspaces of the organization.") UUID workspaceId,
        @Nullable @Schema(description = "Only admins manage accounts and destinations. Default: member.") KeyRole role,
        @Nullable @Future(message = "must be in the future") @Schema(description = "Null or absent: never.", examples = "2027-06-30T00:00:00Z") Instant expiresAt) {

    /** Returns the requested role, or member. */
    public KeyRole roleOrDefault() {
        return role == null ? KeyRole.MEMBER : role;
    }
}
