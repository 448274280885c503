package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.audit.Auditable;
import dev.waybill.common.security.Role;

/**
 * A new API key.
 *
 * @param key what clients send in {@code X-Api-Key}; answered here and never again
 */
public record CreatedApiKeyResponse(UUID id, String name, String prefix, @Nullable UUID workspaceId, Role role,
        Instant createdAt, @Nullable Instant expiresAt, @Nullable Instant lastUsedAt,
        @Schema(description = "What clients send in X-Api-Key. It is answered here and never again.") String key)
        implements
            Auditable {

    /** Without the key, so that no log shows it. */
    @Override
    public String toString() {
        return "CreatedApiKeyResponse[id=" + id + ", prefix=" + prefix + ", key=***]";
    }
}
