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
import dev.waybill.controlplane.quota.Quota.CountLimit;
import dev.waybill.controlplane.quota.QuotaService;
import io.quarkus.hibernate.reactive.panache.common.WithSession;
import io.quarkus.hibernate.reactive.panache.common.WithTransaction;
import io.smallrye.mutiny.Uni;

/** Creates, lists and revokes API keys. */
@Singleton
public class ApiKeyService {

    private final ApiKeyRepository keys;
    private final WorkspaceRepository workspaces;
    private final QuotaService quotas;
    private final HibernateIdempotentCreation idempotency;
    private final Ids ids;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    ApiKeyService(ApiKeyRepository keys, WorkspaceRepository workspaces, QuotaService quotas,
            HibernateIdempotentCreation idempotency,
            Ids ids, Clock clock) {
        this.keys = keys;
        this.workspaces = workspaces;
        this.quotas = quotas;
        this.idempotency = idempotency;
        this.ids = ids;
        this.clock = clock;
    }

    /**
     * Creates a key. Fails with 403 if a key bound to a workspace requests an organization-wide key, 404 if the
     * workspace is outside of the caller's scope, and 403 if the plan's limit is reached.
     */
    @WithTransaction
    public Uni<CreatedApiKeyResponse> create(Caller caller, CreateApiKeyRequest request) {
        AdminScope scope = AdminScope.of(caller);
        ApiKey key = ApiKey.generate(random);
        return requireAccess(scope, request.workspaceId())
                .chain(() -> requireCapacity(scope.organizationId(), request.workspaceId()))
                .map(ignored -> entity(scope, request, key))
                .chain(keys::persistAndFlush)
                .call(created -> idempotency.recordCreated(created.id))
                .map(created -> created.toCreatedResponse(key));
    }

    /** Lists the keys in the caller's scope, without revoked keys. */
    @WithSession
    public Uni<Slice<ApiKeyResponse>> list(Caller caller, Page page) {
        AdminScope scope = AdminScope.of(caller);
        return keys.list(scope, page)
                .chain(found -> keys.count(scope).map(total -> Slice.of(found, ApiKeyEntity::toResponse, total)));
    }

    /**
     * Revokes a key, effective on all services when their key cache expires. The last admin key of an organization can
     * be revoked, even by itself, so that a leaked key can always be disabled. The operator can then create a new one
     * with {@code waybill.bootstrap.organization-api-key}.
     */
    @WithTransaction
    public Uni<Void> revoke(Caller caller, UUID id) {
        return keys.revoke(AdminScope.of(caller), id, clock.instant())
                .invoke(revoked -> requireOne(revoked, id))
                .replaceWithVoid();
    }

    private Uni<?> requireAccess(AdminScope scope, @Nullable UUID workspaceId) {
        if (workspaceId != null) {
            return workspaces.require(scope, workspaceId);
        }
        scope.requireWholeOrganization("Creating a key of the whole organization");
        return Uni.createFrom().voidItem();
    }

    private Uni<?> requireCapacity(UUID organizationId, @Nullable UUID workspaceId) {
        return keys.lockOwner(organizationId, workspaceId)
                .chain(plan -> keys.countActive(organizationId, workspaceId, clock.instant())
                        .invoke(present -> quotas.of(plan).requireCapacity(CountLimit.API_KEYS, present)));
    }

    private ApiKeyEntity entity(AdminScope scope, CreateApiKeyRequest request, ApiKey key) {
        return new ApiKeyEntity(ids.newId(), scope.organizationId(), request.workspaceId(), request.name(), key,
                request.roleOrDefault(), clock.instant())
                .withExpiry(request.expiresAt());
    }

    private static void requireOne(int revoked, UUID id) {
        if (revoked == 0) {
            throw new ProblemException(CommonProblem.NOT_FOUND, "There is no API key " + id + " that this API key manages.");
        }
    }
}
