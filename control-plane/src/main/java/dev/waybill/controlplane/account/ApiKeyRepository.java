package dev.waybill.controlplane.account;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.page.Page;
import dev.waybill.common.security.Plan;
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

    // Weaker than what deleting takes, so that rows which refer to the owner can be inserted meanwhile.
    private static final String LOCK = """
            SELECT o.plan FROM account.organizations AS o, account.%s AS owner
            WHERE o.id = :organization AND owner.id = :owner
            FOR NO KEY UPDATE OF owner
            """;

    /** One page of the keys in the scope. */
    Uni<List<ApiKeyEntity>> list(AdminScope scope, Page page) {
        return inScope(scope)
                .range(page.offset(), page.lastIndex())
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

    /**
     * The organization's plan, of whose workspace, or of whom as a whole, nobody else makes keys before this transaction ends.
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

    /** How many keys of the workspace, or of the organization as a whole, are neither revoked nor expired. */
    Uni<Long> countUsable(UUID organizationId, @Nullable UUID workspaceId, Instant now) {
        String usable = "organizationId = ?1 and revokedAt is null and deploymentId is null"
                + " and (expiresAt is null or expiresAt > ?2) and ";
        return workspaceId == null ? count(usable + "workspaceId is null", organizationId, now)
                : count(usable + "workspaceId = ?3", organizationId, now, workspaceId);
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
