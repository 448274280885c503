package dev.waybill.controlplane.account;

import java.time.Instant;
import java.util.UUID;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

import dev.waybill.common.api.account.WorkspaceResponse;

/** A row of {@code account.workspaces}. */
@Entity
@Table(schema = "account", name = "workspaces")
class WorkspaceEntity {

    /** Constraint that makes names unique within an organization. */
    static final String UNIQUE_NAME = "workspaces_organization_id_name_key";

    @Id
    UUID id;

    @Column(name = "organization_id")
    UUID organizationId;

    @Column
    String name;

    @Column(name = "created_at")
    Instant createdAt;

    WorkspaceEntity() {
    }

    WorkspaceEntity(UUID id, UUID organizationId, String name, Instant createdAt) {
        this.id = id;
        this.organizationId = organizationId;
        this.name = name;
        this.createdAt = createdAt;
    }

    WorkspaceResponse toResponse() {
        return new WorkspaceResponse(id, name, organizationId, createdAt);
    }
}
