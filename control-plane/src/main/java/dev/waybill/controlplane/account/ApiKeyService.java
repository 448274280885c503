package dev.waybill.controlplane.account;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.ApiKeyResponse;
import dev.waybill.common.api.account.CreateApiKeyRequest;
import dev.waybill.common.api.account.CreatedApiKeyResponse;
import dev.waybill.common.id.Ids;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.Slice;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.security.ApiKey;
import dev.waybill.common.security.Caller;
import dev.waybill.controlplane.quota.Quota.Counted;
import dev.waybill.controlplane.quota.QuotaService;
import io.quarkus.hibernate.reactive.panache.common.WithSession;
import io.quarkus.hibernate.reactive.panache.common.WithTransaction;
import io.smallrye.mutiny.Uni;

/** Makes, lists and revokes API keys. */
@Singleton
public class ApiKeyService {

    private final ApiKeyRepository keys;
    private final WorkspaceRepository workspaces;
    private final QuotaService quotas;
    private final HibernateIdempotentCreation mark;
    private final Ids ids;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    ApiKeyService(ApiKeyRepository keys, WorkspaceRepository workspaces, QuotaService quotas, HibernateIdempotentCreation mark,
            Ids ids, Clock clock) {
        this.keys = keys;
        this.workspaces = workspaces;
        this.quotas = quotas;
        this.mark = mark;
        this.ids = ids;
        this.clock = clock;
    }

    /**
     * Makes a key: 403 for an organization-wide one asked for by a bound key, 404 for a workspace out of reach,
     * 403 when there are as many as the plan allows.
     */
    @WithTransaction
    public Uni<CreatedApiKeyResponse> create(Caller caller, CreateApiKeyRequest request) {
        AdminScope scope = AdminScope.of(caller);
        ApiKey key = ApiKey.generate(random);
        return requireReach(scope, request.workspaceId())
                .chain(() -> requireRoom(scope.organizationId(), request.workspaceId()))
                .map(ignored -> entity(scope, request, key))
                .chain(keys::persistAndFlush)
                .call(made -> mark.made(made.id))
                .map(made -> made.toCreatedResponse(key));
    }

    /** The keys that the caller manages; revoked ones are gone. */
    @WithSession
    public Uni<Slice<ApiKeyResponse>> list(Caller caller, Page page) {
        AdminScope scope = AdminScope.of(caller);
        return keys.list(scope, page)
                .chain(found -> keys.count(scope).map(total -> Slice.of(found, ApiKeyEntity::toResponse, total)));
    }

    /**
     * Ends a key's life at once in the database, and within {@code waybill.keys.cache-ttl} everywhere. Also the last admin key
     * of an organization can be revoked, even by itself: that a leaked key can be stopped matters more. The operator gives
     * the organization a new one with {@code waybill.bootstrap.organization-api-key}.
     */
    @WithTransaction
    public Uni<Void> revoke(Caller caller, UUID id) {
        return keys.revoke(AdminScope.of(caller), id, clock.instant())
                .invoke(revoked -> requireOne(revoked, id))
                .replaceWithVoid();
    }

    private Uni<?> requireReach(AdminScope scope, @Nullable UUID workspaceId) {
        if (workspaceId != null) {
            return workspaces.require(scope, workspaceId);
        }
        scope.requireWholeOrganization("Creating a key of the whole organization");
        return Uni.createFrom().voidItem();
    }

    private Uni<?> requireRoom(UUID organizationId, @Nullable UUID workspaceId) {
        return keys.lockOwner(organizationId, workspaceId)
                .chain(plan -> keys.countUsable(organizationId, workspaceId, clock.instant())
                        .invoke(present -> quotas.of(plan).requireRoom(Counted.API_KEYS, present)));
    }

    private ApiKeyEntity entity(AdminScope scope, CreateApiKeyRequest request, ApiKey key) {
        return new ApiKeyEntity(ids.newId(), scope.organizationId(), request.workspaceId(), request.name(), key,
                request.roleOrDefault(), clock.instant())
                .expiringAt(request.expiresAt());
    }

    private static void requireOne(int revoked, UUID id) {
        if (revoked == 0) {
            throw new ProblemException(CommonProblem.NOT_FOUND, "There is no API key " + id + " that this API key manages.");
        }
    }
}
