package dev.waybill.controlplane.account;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.Plan;
import dev.waybill.common.page.Page;
import io.quarkus.hibernate.reactive.panache.PanacheQuery;
import io.quarkus.hibernate.reactive.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Sort;
import io.smallrye.mutiny.Uni;

/**
 * Queries of API keys. Revoked keys stay in the table, so that their prefix is never reused, but are excluded from
 * results. Keys of deployments ({@link ApplicationKeys}) are always excluded.
 */
@Singleton
class ApiKeyRepository implements PanacheRepositoryBase<ApiKeyEntity, UUID> {

    private static final Sort NEWEST_FIRST = Sort.descending("createdAt").and("id", Sort.Direction.Ascending);

    // Weaker than FOR UPDATE, so that rows that reference the owner can be inserted concurrently.
    private static final String LOCK = """
            SELECT o.plan FROM account.organizations AS o, account.%s AS owner
            WHERE o.id = :organization AND owner.id = :owner
            FOR NO KEY UPDATE OF owner
            """;

    /** Returns one page of the keys in the scope, newest first. */
    Uni<List<ApiKeyEntity>> list(AdminScope scope, Page page) {
        return inScope(scope)
                .range(page.offset(), page.lastIndex())
                .list();
    }

    /** Returns the number of keys in the scope. */
    Uni<Long> count(AdminScope scope) {
        return inScope(scope).count();
    }

    /** Revokes the key if it is in the scope; returns the number of revoked keys, 0 or 1. Updates no other column. */
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

    /**
     * Returns the organization's plan and locks the owner of new keys, the workspace or the organization, so that
     * concurrent transactions cannot create keys for it.
     */
    Uni<Plan> lockOwner(UUID organizationId, @Nullable UUID workspaceId) {
        String table = workspaceId == null ? "organizations" : "workspaces";
        return getSession()
                .chain(session -> session.createNativeQuery(LOCK.formatted(table), String.class)
                        .setParameter("organization", organizationId)
                        .setParameter("owner", workspaceId == null ? organizationId : workspaceId)
                        .getSingleResult())
                .map(Plan::parse);
    }

    /**
     * Returns the number of keys of the workspace, or of the whole organization, that are neither revoked nor expired.
     */
    Uni<Long> countActive(UUID organizationId, @Nullable UUID workspaceId, Instant now) {
        String usable = "organizationId = ?1 and revokedAt is null and deploymentId is null"
                + " and (expiresAt is null or expiresAt > ?2) and ";
        return workspaceId == null ? count(usable + "workspaceId is null", organizationId, now)
                : count(usable + "workspaceId = ?3", organizationId, now, workspaceId);
    }

    /** Returns the key with this prefix, even if revoked; null if none exists. */
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
