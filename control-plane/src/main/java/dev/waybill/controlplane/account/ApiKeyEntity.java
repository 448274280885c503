package dev.waybill.controlplane.account;

import java.time.Instant;
import java.util.UUID;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.ApiKeyResponse;
import dev.waybill.common.api.account.CreatedApiKeyResponse;
import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.security.ApiKey;

/** A row of {@code account.api_keys}: the prefix and hash that verify a key, not the key itself. */
@Entity
@Table(schema = "account", name = "api_keys")
class ApiKeyEntity {

    @Id
    UUID id;

    @Column(name = "organization_id")
    UUID organizationId;

    /** Null if the key is valid for every workspace of its organization. */
    @Column(name = "workspace_id")
    @Nullable
    UUID workspaceId;

    @Column
    String name;

    @Column
    String prefix;

    @Column
    byte[] hash;

    /** The stored form of a {@link KeyRole}. */
    @Column
    String role;

    @Column(name = "created_at")
    Instant createdAt;

    @Column(name = "expires_at")
    @Nullable
    Instant expiresAt;

    /** Written by the services that authenticate with the key, never by this one. */
    @Column(name = "last_used_at", updatable = false)
    @Nullable
    Instant lastUsedAt;

    @Column(name = "revoked_at")
    @Nullable
    Instant revokedAt;

    /** The deployment that owns the key, created and revoked with it ({@link ApplicationKeys}); hidden from admins. */
    @Column(name = "deployment_id", updatable = false)
    @Nullable
    UUID deploymentId;

    ApiKeyEntity() {
    }

    ApiKeyEntity(UUID id, UUID organizationId, @Nullable UUID workspaceId, String name, ApiKey key, KeyRole role,
            Instant createdAt) {
        this.id = id;
        this.organizationId = organizationId;
        this.workspaceId = workspaceId;
        this.name = name;
        this.prefix = key.prefix();
        this.hash = key.hash();
        this.role = role.toString();
        this.createdAt = createdAt;
    }

    ApiKeyEntity withExpiry(@Nullable Instant instant) {
        this.expiresAt = instant;
        return this;
    }

    ApiKeyResponse toResponse() {
        return new ApiKeyResponse(id, name, prefix, workspaceId, KeyRole.parse(role), createdAt, expiresAt, lastUsedAt);
    }

    CreatedApiKeyResponse toCreatedResponse(ApiKey key) {
        return new CreatedApiKeyResponse(id, name, prefix, workspaceId, KeyRole.parse(role), createdAt, expiresAt, lastUsedAt,
                key.reveal());
    }
}
