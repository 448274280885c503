package dev.waybill.controlplane.account;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.account.CreateOrganizationRequest;
import dev.waybill.common.api.account.CreatedOrganizationResponse;
import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.api.account.OrganizationResponse;
import dev.waybill.common.api.account.UpdateOrganizationRequest;
import dev.waybill.common.id.Ids;
import dev.waybill.common.security.ApiKey;
import io.quarkus.hibernate.reactive.panache.common.WithTransaction;
import io.smallrye.mutiny.Uni;

/** Creates organizations and changes their plans, for the installation's operator. */
@Singleton
public class OrganizationService {

    private static final String FIRST_KEY = "First key";

    private final OrganizationRepository organizations;
    private final ApiKeyRepository keys;
    private final HibernateIdempotentCreation idempotency;
    private final Ids ids;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    OrganizationService(OrganizationRepository organizations, ApiKeyRepository keys, HibernateIdempotentCreation idempotency,
            Ids ids, Clock clock) {
        this.organizations = organizations;
        this.keys = keys;
        this.idempotency = idempotency;
        this.ids = ids;
        this.clock = clock;
    }

    /** Creates an organization with its first API key, an admin key of the whole organization. */
    @WithTransaction
    public Uni<CreatedOrganizationResponse> create(CreateOrganizationRequest request) {
        OrganizationEntity organization = new OrganizationEntity(ids.newId(), request.name(), request.planOrDefault(),
                clock.instant());
        ApiKey key = ApiKey.generate(random);
        return organizations.persistAndFlush(organization)
                .chain(created -> keys.persistAndFlush(firstKey(created, key)))
                .call(() -> idempotency.recordCreated(organization.id))
                .replaceWith(() -> organization.toCreatedResponse(key));
    }

    /** Changes the plan. Services that cache a key apply it when the cache entry expires, within 30 s. */
    @WithTransaction
    public Uni<OrganizationResponse> update(UUID id, UpdateOrganizationRequest request) {
        return organizations.require(id)
                .invoke(organization -> organization.plan = request.plan().toString())
                .map(OrganizationEntity::toResponse);
    }

    private ApiKeyEntity firstKey(OrganizationEntity organization, ApiKey key) {
        return new ApiKeyEntity(ids.newId(), organization.id, null, FIRST_KEY, key, KeyRole.ADMIN, organization.createdAt);
    }
}
