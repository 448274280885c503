package dev.waybill.controlplane.account;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.ApiKeyResponse;
import dev.waybill.common.api.account.CreateApiKeyRequest;
import dev.waybill.common.api.account.CreatedApiKeyResponse;
import dev.waybill.common.api.account.KeyRole;
import dev.waybill.common.api.account.UpdateApiKeyRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.id.Ids;
import dev.waybill.common.idempotency.CreatedResourceRecorder;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.security.ApiKey;
import dev.waybill.common.security.Caller;
import dev.waybill.controlplane.account.WorkspaceLimits.CountLimit;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Creates, lists, changes and revokes API keys. */
@Singleton
public class ApiKeyService {

    private final Database database;
    private final ApiKeyRepository keys;
    private final OrganizationRepository organizations;
    private final WorkspaceLimitService limits;
    private final CreatedResourceRecorder idempotency;
    private final Ids ids;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    ApiKeyService(Database database, ApiKeyRepository keys, OrganizationRepository organizations, WorkspaceLimitService limits,
            CreatedResourceRecorder idempotency, Ids ids, Clock clock) {
        this.database = database;
        this.keys = keys;
        this.organizations = organizations;
        this.limits = limits;
        this.idempotency = idempotency;
        this.ids = ids;
        this.clock = clock;
    }

    /**
     * Creates a key. Fails with 403 if a key bound to a workspace requests an organization-wide key, 404 if the
     * workspace is outside of the caller's scope, and 403 if the plan's limit is reached.
     */
    public Uni<CreatedApiKeyResponse> create(Caller caller, CreateApiKeyRequest request) {
        AdminScope scope = AdminScope.of(caller);
        ApiKey key = ApiKey.generate(random);
        ApiKeyResponse row = new ApiKeyResponse(ids.newId(), request.name(), key.prefix(), request.workspaceId(),
                request.roleOrDefault(), clock.instant(), request.expiresAt(), null);
        return database.outsideWorkspaces(connection -> requireAccess(connection, scope, request.workspaceId())
                .chain(() -> requireCapacity(connection, scope.organizationId(), request.workspaceId()))
                .chain(() -> keys.insert(connection, scope.organizationId(), row, key))
                .chain(() -> idempotency.recordCreated(row.id(), connection)))
                .replaceWith(() -> new CreatedApiKeyResponse(row.id(), row.name(), row.prefix(), row.workspaceId(), row.role(),
                        row.createdAt(), row.expiresAt(), row.lastUsedAt(), key.reveal()));
    }

    /** Lists the keys in the caller's scope, without revoked keys. */
    public Uni<Page<ApiKeyResponse>> list(Caller caller, PageParameters page) {
        AdminScope scope = AdminScope.of(caller);
        return database.outsideWorkspaces(connection -> keys.list(connection, scope, page)
                .chain(found -> keys.count(connection, scope).map(total -> new Page<>(found, total))));
    }

    /**
     * Revokes a key, effective on all services when their key cache expires. The last admin key of an organization can
     * be revoked, even by itself, so that a leaked key can always be disabled. The operator can then create a new one
     * with {@code waybill.bootstrap.organization-api-key}.
     */
    public Uni<Void> revoke(Caller caller, UUID id) {
        return database.outsideWorkspaces(connection -> keys.revoke(connection, AdminScope.of(caller), id, clock.instant()))
                .invoke(revoked -> requireRevoked(revoked, id))
                .replaceWithVoid();
    }

    /**
     * Changes name and role, effective on all services when their key cache expires. Fails with 409 if no other admin key
     * could restore the role: of the organization, or for a key of a workspace, of that workspace.
     */
    public Uni<ApiKeyResponse> update(Caller caller, UUID id, UpdateApiKeyRequest request) {
        AdminScope scope = AdminScope.of(caller);
        return database.outsideWorkspaces(connection -> requireOtherAdmin(connection, scope, id, request.role())
                .chain(() -> keys.update(connection, scope, id, request))
                .onItem().ifNull().failWith(() -> notFound(id)));
    }

    // Locks the organization, so that two admin keys cannot be demoted concurrently.
    private Uni<?> requireOtherAdmin(SqlConnection connection, AdminScope scope, UUID id, @Nullable KeyRole role) {
        if (role != KeyRole.MEMBER) {
            return Uni.createFrom().voidItem();
        }
        return keys.lockOwner(connection, scope.organizationId(), null)
                .chain(() -> keys.find(connection, scope, id))
                .onItem().ifNull().failWith(() -> notFound(id))
                .chain(key -> keys.hasOtherAdmin(connection, scope.organizationId(), key, clock.instant())
                        .invoke(found -> requireRestorable(found || !isActiveAdmin(key), key)));
    }

    private boolean isActiveAdmin(ApiKeyResponse key) {
        return key.role() == KeyRole.ADMIN && (key.expiresAt() == null || key.expiresAt().isAfter(clock.instant()));
    }

    private static void requireRestorable(boolean restorable, ApiKeyResponse key) {
        if (!restorable) {
            throw ProblemException.conflict("This is the last admin key of the "
                    + (key.workspaceId() == null ? "organization" : "workspace " + key.workspaceId())
                    + ", so no key could make it an admin again. Create another admin key first, or revoke this key.");
        }
    }

    private Uni<?> requireAccess(SqlConnection connection, AdminScope scope, @Nullable UUID workspaceId) {
        if (workspaceId != null) {
            return organizations.require(connection, scope, workspaceId);
        }
        scope.requireWholeOrganization("Creating a key of the whole organization");
        return Uni.createFrom().voidItem();
    }

    private Uni<?> requireCapacity(SqlConnection connection, UUID organizationId, @Nullable UUID workspaceId) {
        return keys.lockOwner(connection, organizationId, workspaceId)
                .chain(plan -> keys.countActive(connection, organizationId, workspaceId, clock.instant())
                        .invoke(present -> limits.of(plan).requireCapacity(CountLimit.API_KEYS, present)));
    }

    private static void requireRevoked(boolean revoked, UUID id) {
        if (!revoked) {
            throw notFound(id);
        }
    }

    private static ProblemException notFound(UUID id) {
        return new ProblemException(CommonProblem.NOT_FOUND, "There is no API key " + id + " that this API key manages.");
    }
}
