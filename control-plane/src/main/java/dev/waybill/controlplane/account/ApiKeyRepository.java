package dev.waybill.controlplane.account;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.page.Page;
import io.quarkus.hibernate.reactive.panache.PanacheQuery;
import io.quarkus.hibernate.reactive.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Sort;
import io.smallrye.mutiny.Uni;

/**
 * Keys that were revoked stay as rows, so that their prefix is never used again, but nobody sees them any more. Those of
 * deployments ({@link ApplicationKeys}) nobody sees at all, and they go with them.
 */
@Singleton
class ApiKeyRepository implements PanacheRepositoryBase<ApiKeyEntity, UUID> {

    private static final Sort NEWEST_FIRST = Sort.descending("createdAt").and("id", Sort.Direction.Ascending);

    /** One page of the keys in the scope. */
    Uni<List<ApiKeyEntity>> list(AdminScope scope, Page page) {
        return inScope(scope)
                .range(page.offset(), page.last())
                .list();
    }

    /** How many keys lie in the scope. */
    Uni<Long> count(AdminScope scope) {
        return inScope(scope).count();
    }

    /** Revokes the key if it lies in the scope; answers how many were, 0 or 1. Writes no other column. */
    Uni<Integer> revoke(AdminScope scope, UUID id, Instant now) {
        return scope.isWholeOrganization()
                ? update("revokedAt = ?1 where organizationId = ?2 and id = ?3 and revokedAt is null and deploymentId is null",
                        now,
                        scope.organizationId(), id)
                : update(
                        "revokedAt = ?1 where organizationId = ?2 and workspaceId = ?3 and id = ?4 and revokedAt is null and deploymentId is null",
                        now,
                        scope.organizationId(), scope.workspaceId(), id);
    }

    /** The key with this prefix, revoked or not; or null. */
    Uni<ApiKeyEntity> findByPrefix(String prefix) {
        return find("prefix", prefix).firstResult();
    }

    private PanacheQuery<ApiKeyEntity> inScope(AdminScope scope) {
        return scope.isWholeOrganization()
                ? find("organizationId = ?1 and revokedAt is null and deploymentId is null", NEWEST_FIRST,
                        scope.organizationId())
                : find("organizationId = ?1 and workspaceId = ?2 and revokedAt is null and deploymentId is null", NEWEST_FIRST,
                        scope.organizationId(), scope.workspaceId());
    }
}
