package dev.waybill.common.api.account;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.Auditable;

/**
 * A new API key.
 *
 * @param key value for {@code X-Api-Key}; only this response contains it
 */
public record CreatedApiKeyResponse(UUID id, String name, String prefix, @Nullable UUID workspaceId, KeyRole role,
        Instant createdAt, @Nullable Instant expiresAt, @Nullable Instant lastUsedAt,
        @Schema(description = "The value for X-Api-Key. Only this response contains it.") String key)
        implements
            Auditable {

    /** Omits the key, so that logs never contain it. */
    @Override
    public String toString() {
        return "CreatedApiKeyResponse[id=" + id + ", prefix=" + prefix + ", key=***]";
    }
}
