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
import dev.waybill.common.security.ApiKey;
import dev.waybill.common.security.Role;

/** A row of {@code account.api_keys}: what is needed to recognise a key, not the key. */
@Entity
@Table(schema = "account", name = "api_keys")
class ApiKeyEntity {

    @Id
    UUID id;

    @Column(name = "organization_id")
    UUID organizationId;

    /** Null: the key opens every workspace of its organization. */
    @Column(name = "workspace_id")
    @Nullable
    UUID workspaceId;

    @Column
    String name;

    @Column
    String prefix;

    @Column
    byte[] hash;

    /** A {@link Role} as the database spells it. */
    @Column
    String role;

    @Column(name = "created_at")
    Instant createdAt;

    @Column(name = "expires_at")
    @Nullable
    Instant expiresAt;

    /** Written by whichever service checks the key, never here. */
    @Column(name = "last_used_at", updatable = false)
    @Nullable
    Instant lastUsedAt;

    @Column(name = "revoked_at")
    @Nullable
    Instant revokedAt;

    /** Set: it is that deployment's, made and revoked with it ({@link ApplicationKeys}); no admin sees it. */
    @Column(name = "deployment_id", updatable = false)
    @Nullable
    UUID deploymentId;

    ApiKeyEntity() {
    }

    ApiKeyEntity(UUID id, UUID organizationId, @Nullable UUID workspaceId, String name, ApiKey key, Role role,
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

    ApiKeyEntity expiringAt(@Nullable Instant instant) {
        this.expiresAt = instant;
        return this;
    }

    ApiKeyResponse toResponse() {
        return new ApiKeyResponse(id, name, prefix, workspaceId, Role.parse(role), createdAt, expiresAt, lastUsedAt);
    }

    CreatedApiKeyResponse toCreatedResponse(ApiKey key) {
        return new CreatedApiKeyResponse(id, name, prefix, workspaceId, Role.parse(role), createdAt, expiresAt, lastUsedAt,
                key.reveal());
    }
}
