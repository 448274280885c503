package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.NotNull;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.security.Role;

/**
 * Body of {@code POST /v1/api-keys}.
 *
 * @param name what people call it; names need not be unique
 * @param workspaceId the one workspace that the key opens; null: all of the organization
 * @param role {@code member} when absent
 * @param expiresAt when the key stops working; null: never
 */
public record CreateApiKeyRequest(
        @NotNull(message = "is required") @AccountName @Schema(examples = "CI") String name,
        @Nullable @Schema(description = "The one workspace that the key opens; null or absent for all of the organization.") UUID workspaceId,
        @Nullable @Schema(description = "Only admins manage accounts and destinations. Default: member.") Role role,
        @Nullable @Future(message = "must lie in the future") @Schema(description = "Null or absent: never.", examples = "2027-06-30T00:00:00Z") Instant expiresAt) {

    /** The role that was asked for, or the one that may do least. */
    public Role roleOrDefault() {
        return role == null ? Role.MEMBER : role;
    }
}
