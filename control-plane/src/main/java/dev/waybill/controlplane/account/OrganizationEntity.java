package dev.waybill.controlplane.account;

import java.time.Instant;
import java.util.UUID;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

import dev.waybill.common.api.account.CreatedOrganizationResponse;
import dev.waybill.common.api.account.OrganizationResponse;
import dev.waybill.common.api.account.Plan;
import dev.waybill.common.security.ApiKey;

/** A row of {@code account.organizations}. */
@Entity
@Table(schema = "account", name = "organizations")
class OrganizationEntity {

    @Id
    UUID id;

    @Column
    String name;

    /** The stored form of a {@link Plan}. */
    @Column
    String plan;

    @Column(name = "created_at")
    Instant createdAt;

    OrganizationEntity() {
    }

    OrganizationEntity(UUID id, String name, Plan plan, Instant createdAt) {
        this.id = id;
        this.name = name;
        this.plan = plan.toString();
        this.createdAt = createdAt;
    }

    OrganizationResponse toResponse() {
        return new OrganizationResponse(id, name, Plan.parse(plan), createdAt);
    }

    CreatedOrganizationResponse toCreatedResponse(ApiKey key) {
        return new CreatedOrganizationResponse(id, name, Plan.parse(plan), createdAt, key.reveal());
    }
}
