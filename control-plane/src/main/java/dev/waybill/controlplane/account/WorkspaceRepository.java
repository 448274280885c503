package dev.waybill.controlplane.account;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.hibernate.exception.ConstraintViolationException;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.page.Page;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.quarkus.hibernate.reactive.panache.PanacheQuery;
import io.quarkus.hibernate.reactive.panache.PanacheRepositoryBase;
import io.quarkus.panache.common.Sort;
import io.smallrye.mutiny.Uni;

@Singleton
class WorkspaceRepository implements PanacheRepositoryBase<WorkspaceEntity, UUID> {

    private static final Sort NEWEST_FIRST = Sort.descending("createdAt").and("id", Sort.Direction.Ascending);

    /** Inserts and flushes, so that a duplicate name is detected here and reported with 409. */
    Uni<WorkspaceEntity> insert(WorkspaceEntity workspace) {
        return persistAndFlush(workspace)
                .onFailure(WorkspaceRepository::isDuplicateName).transform(taken -> ProblemException
                        .conflict("The organization already has a workspace named \"" + workspace.name + "\"."));
    }

    /** Returns the workspace; fails with 404 if it is not in the scope. */
    Uni<WorkspaceEntity> require(AdminScope scope, UUID id) {
        Uni<@Nullable WorkspaceEntity> found = scope.isWholeOrganization() || id.equals(scope.workspaceId())
                ? find("organizationId = ?1 and id = ?2", scope.organizationId(), id).firstResult()
                : Uni.createFrom().nullItem();
        return found.onItem().ifNull().failWith(() -> new ProblemException(CommonProblem.NOT_FOUND,
                "There is no workspace " + id + " that this API key manages."));
    }

    /** Returns one page of the workspaces in the scope, newest first. */
    Uni<List<WorkspaceEntity>> list(AdminScope scope, Page page) {
        return inScope(scope)
                .range(page.offset(), page.lastIndex())
                .list();
    }

    /** Returns the number of workspaces in the scope. */
    Uni<Long> count(AdminScope scope) {
        return inScope(scope).count();
    }

    /** Returns the workspace of that name; null if none exists. */
    Uni<WorkspaceEntity> findByName(UUID organizationId, String name) {
        return find("organizationId = ?1 and name = ?2", organizationId, name).firstResult();
    }

    private PanacheQuery<WorkspaceEntity> inScope(AdminScope scope) {
        return scope.isWholeOrganization()
                ? find("organizationId = ?1", NEWEST_FIRST, scope.organizationId())
                : find("organizationId = ?1 and id = ?2", NEWEST_FIRST, scope.organizationId(), scope.workspaceId());
    }

    private static boolean isDuplicateName(Throwable failure) {
        return failure instanceof ConstraintViolationException violation
                && WorkspaceEntity.UNIQUE_NAME.equals(violation.getConstraintName());
    }
}
