package dev.waybill.controlplane.account;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.OrganizationResponse;
import dev.waybill.common.api.account.Plan;
import dev.waybill.common.api.account.WorkspaceResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/** Reads and writes account.organizations and account.workspaces. */
@Singleton
class OrganizationRepository {

    private static final String INSERT_ORGANIZATION = """
            INSERT INTO account.organizations (id, name, plan, created_at) VALUES ($1, $2, $3, $4)
            """;
    private static final String UPDATE_PLAN = """
            UPDATE account.organizations SET plan = $2 WHERE id = $1
            RETURNING id, name, plan, created_at
            """;
    private static final String FIND_ORGANIZATION = """
            SELECT id, name, plan, created_at FROM account.organizations WHERE id = $1
            """;
    private static final String FIND_OLDEST_ORGANIZATION = """
            SELECT id, name, plan, created_at FROM account.organizations WHERE name = $1
            ORDER BY created_at, id
            LIMIT 1
            """;
    private static final String INSERT_WORKSPACE = """
            INSERT INTO account.workspaces (id, organization_id, name, created_at) VALUES ($1, $2, $3, $4)
            """;
    private static final String UNIQUE_WORKSPACE_NAME = "workspaces_organization_id_name_key";
    private static final String FIND_WORKSPACE = """
            SELECT id, name, organization_id, created_at FROM account.workspaces WHERE id = $1
            """;
    private static final String FIND_WORKSPACE_BY_NAME = """
            SELECT id, name, organization_id, created_at FROM account.workspaces WHERE organization_id = $1 AND name = $2
            """;
    private static final String LIST_WORKSPACES = """
            SELECT id, name, organization_id, created_at FROM account.workspaces
            WHERE organization_id = $1 AND ($2::uuid IS NULL OR id = $2)
            ORDER BY created_at DESC, id
            LIMIT $3 OFFSET $4
            """;
    private static final String COUNT_WORKSPACES = """
            SELECT count(*) AS total FROM account.workspaces WHERE organization_id = $1 AND ($2::uuid IS NULL OR id = $2)
            """;

    Uni<Void> insert(SqlConnection connection, OrganizationResponse organization) {
        return connection.preparedQuery(INSERT_ORGANIZATION)
                .execute(Tuple.of(organization.id(), organization.name(), organization.plan().toString(),
                        organization.createdAt().atOffset(ZoneOffset.UTC)))
                .replaceWithVoid();
    }

    /** Changes the plan; fails with 404 if the organization does not exist. */
    Uni<OrganizationResponse> updatePlan(SqlConnection connection, UUID id, Plan plan) {
        return findOrganization(connection, UPDATE_PLAN, Tuple.of(id, plan.toString()))
                .onItem().ifNull().failWith(() -> new ProblemException(CommonProblem.NOT_FOUND,
                        "There is no organization " + id + "."));
    }

    /** Returns the organization; null if it does not exist. */
    Uni<@Nullable OrganizationResponse> findOrganization(SqlConnection connection, UUID id) {
        return findOrganization(connection, FIND_ORGANIZATION, Tuple.of(id));
    }

    /** Returns the oldest organization of that name; null if none exists. */
    Uni<@Nullable OrganizationResponse> findOldestOrganization(SqlConnection connection, String name) {
        return findOrganization(connection, FIND_OLDEST_ORGANIZATION, Tuple.of(name));
    }

    /** Inserts the workspace; fails with 409 if the organization has a workspace of that name. */
    Uni<Void> insert(SqlConnection connection, WorkspaceResponse workspace) {
        return connection.preparedQuery(INSERT_WORKSPACE)
                .execute(Tuple.of(workspace.id(), workspace.organizationId(), workspace.name(),
                        workspace.createdAt().atOffset(ZoneOffset.UTC)))
                .onFailure(OrganizationRepository::isDuplicateName).transform(taken -> ProblemException
                        .conflict("The organization already has a workspace named \"" + workspace.name() + "\"."))
                .replaceWithVoid();
    }

    /** Returns the workspace; fails with 404 if it is not in the scope. */
    Uni<WorkspaceResponse> require(SqlConnection connection, AdminScope scope, UUID id) {
        return findWorkspace(connection, id)
                .map(found -> {
                    if (found == null || !scope.contains(found)) {
                        throw new ProblemException(CommonProblem.NOT_FOUND,
                                "There is no workspace " + id + " that this API key manages.");
                    }
                    return found;
                });
    }

    /** Returns one page of the workspaces in the scope, newest first. */
    Uni<List<WorkspaceResponse>> listWorkspaces(SqlConnection connection, AdminScope scope, PageParameters page) {
        return connection.preparedQuery(LIST_WORKSPACES)
                .execute(Tuple.of(scope.organizationId(), scope.workspaceId(), page.limit(), page.offset()))
                .map(rows -> Rows.list(rows, OrganizationRepository::workspace));
    }

    /** Returns the number of workspaces in the scope. */
    Uni<Long> countWorkspaces(SqlConnection connection, AdminScope scope) {
        return connection.preparedQuery(COUNT_WORKSPACES)
                .execute(Tuple.of(scope.organizationId(), scope.workspaceId()))
                .map(rows -> rows.iterator().next().getLong("total"));
    }

    /** Returns the workspace; null if it does not exist. */
    Uni<@Nullable WorkspaceResponse> findWorkspace(SqlConnection connection, UUID id) {
        return connection.preparedQuery(FIND_WORKSPACE)
                .execute(Tuple.of(id))
                .map(rows -> Rows.first(rows, OrganizationRepository::workspace));
    }

    /** Returns the workspace of that name; null if none exists. */
    Uni<@Nullable WorkspaceResponse> findWorkspace(SqlConnection connection, UUID organizationId, String name) {
        return connection.preparedQuery(FIND_WORKSPACE_BY_NAME)
                .execute(Tuple.of(organizationId, name))
                .map(rows -> Rows.first(rows, OrganizationRepository::workspace));
    }

    private static Uni<@Nullable OrganizationResponse> findOrganization(SqlConnection connection, String sql, Tuple values) {
        return connection.preparedQuery(sql)
                .execute(values)
                .map(rows -> Rows.first(rows, OrganizationRepository::organization));
    }

    private static OrganizationResponse organization(Row row) {
        return new OrganizationResponse(row.getUUID("id"), row.getString("name"), Plan.parse(row.getString("plan")),
                createdAt(row));
    }

    private static WorkspaceResponse workspace(Row row) {
        return new WorkspaceResponse(row.getUUID("id"), row.getString("name"), row.getUUID("organization_id"), createdAt(row));
    }

    private static Instant createdAt(Row row) {
        return row.getOffsetDateTime("created_at").toInstant();
    }

    private static boolean isDuplicateName(Throwable failure) {
        return failure instanceof PgException exception && UNIQUE_WORKSPACE_NAME.equals(exception.getConstraint());
    }
}
