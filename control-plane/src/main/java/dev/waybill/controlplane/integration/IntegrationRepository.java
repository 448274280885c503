package dev.waybill.controlplane.integration;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Rows;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.controlplane.source.Provider;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and writes deploy.integrations. */
@Singleton
class IntegrationRepository {

    private static final String COLUMNS = """
            tenant_id, id, installation_id, name, provider, base_url, credential, webhook_secret, created_at
            """;
    private static final String INSERT = """
            INSERT INTO deploy.integrations (tenant_id, id, installation_id, name, provider, base_url, credential, webhook_secret)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (tenant_id, base_url, installation_id) DO NOTHING
            RETURNING """
            + " " + COLUMNS;
    private static final String LIST = "SELECT " + COLUMNS + """
            FROM deploy.integrations WHERE tenant_id = $1
            ORDER BY created_at DESC, id
            LIMIT 1000
            """;
    private static final String FIND = "SELECT " + COLUMNS + "FROM deploy.integrations WHERE tenant_id = $1 AND id = $2";
    // Push webhooks name an integration but no workspace.
    private static final String FIND_IN_ANY_WORKSPACE = "SELECT " + COLUMNS + "FROM deploy.integrations WHERE id = $1";
    private static final String COUNT = "SELECT count(*) AS present FROM deploy.integrations WHERE tenant_id = $1";
    private static final String IS_USED = """
            SELECT EXISTS (SELECT FROM deploy.deployments WHERE tenant_id = $1 AND integration_id = $2) AS used
            """;
    private static final String UPDATE = """
            UPDATE deploy.integrations SET name = $3, credential = $4, webhook_secret = $5 WHERE tenant_id = $1 AND id = $2
            RETURNING """
            + " " + COLUMNS;
    private static final String DELETE = "DELETE FROM deploy.integrations WHERE tenant_id = $1 AND id = $2";
    // Ranks candidates round-robin by organization, then by workspace, so that many registrations of one organization
    // or workspace cannot exclude those of others from the limit.
    private static final String CANDIDATES = """
            WITH of_workspace AS (
                SELECT i.*, w.organization_id,
                    row_number() OVER (PARTITION BY i.tenant_id ORDER BY length(i.base_url) DESC, i.id) AS workspace_rank
                FROM deploy.integrations AS i
                JOIN account.workspaces AS w ON w.id = i.tenant_id
                WHERE i.base_url = ANY ($1) AND i.installation_id = $2
            ), of_organization AS (
                SELECT *, row_number() OVER (PARTITION BY organization_id ORDER BY workspace_rank, created_at, id) AS rank
                FROM of_workspace
            )
            SELECT\s""" + COLUMNS + """
            FROM of_organization
            ORDER BY rank, created_at, id
            LIMIT $3
            """;

    /** Inserts the integration; returns null if the workspace already has this installation. */
    Uni<@Nullable Integration> insert(SqlConnection connection, Integration integration) {
        return connection.preparedQuery(INSERT)
                .execute(Tuple.of(integration.tenantId(), integration.id(), integration.installationId(), integration.name(),
                        integration.provider().toString(), integration.baseUrl())
                        .addValue(buffer(integration.credential()))
                        .addValue(buffer(integration.webhookSecret())))
                .map(rows -> Rows.first(rows, IntegrationRepository::integration));
    }

    Uni<List<Integration>> list(SqlConnection connection, UUID tenantId) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId))
                .map(IntegrationRepository::integrations);
    }

    Uni<Integration> require(SqlConnection connection, UUID tenantId, UUID id) {
        return require(connection, FIND, tenantId, id);
    }

    Uni<Long> count(SqlConnection connection, UUID tenantId) {
        return connection.preparedQuery(COUNT)
                .execute(Tuple.of(tenantId))
                .map(rows -> rows.iterator().next().getLong("present"));
    }

    /** Returns the integration and locks it against deletion until the transaction ends. */
    Uni<Integration> requireForUse(SqlConnection connection, UUID tenantId, UUID id) {
        return require(connection, FIND + " FOR SHARE", tenantId, id);
    }

    /** Returns the integration and locks it against use by new deployments until the transaction ends. */
    Uni<Integration> requireForUpdate(SqlConnection connection, UUID tenantId, UUID id) {
        return require(connection, FIND + " FOR UPDATE", tenantId, id);
    }

    /** Returns the integration of any workspace; empty if it does not exist. */
    Uni<List<Integration>> findInAnyWorkspace(SqlConnection connection, UUID id) {
        return connection.preparedQuery(FIND_IN_ANY_WORKSPACE)
                .execute(Tuple.of(id))
                .map(IntegrationRepository::integrations);
    }

    Uni<Boolean> isUsed(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(IS_USED)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> rows.iterator().next().getBoolean("used"));
    }

    /** Updates the name, the credential and the webhook secret. */
    Uni<Integration> update(SqlConnection connection, Integration changed) {
        return connection.preparedQuery(UPDATE)
                .execute(Tuple.of(changed.tenantId(), changed.id(), changed.name())
                        .addValue(buffer(changed.credential()))
                        .addValue(buffer(changed.webhookSecret())))
                .map(rows -> integration(rows.iterator().next()));
    }

    Uni<Void> delete(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(DELETE)
                .execute(Tuple.of(tenantId, id))
                .replaceWithVoid();
    }

    /** Returns integrations of the installation, in any workspace, whose base URL is one of the addresses. */
    Uni<List<Integration>> findCandidates(SqlConnection connection, List<String> addresses, long installationId, int limit) {
        return connection.preparedQuery(CANDIDATES)
                .execute(Tuple.of(addresses.toArray(String[]::new), installationId, limit))
                .map(IntegrationRepository::integrations);
    }

    private static Uni<Integration> require(SqlConnection connection, String query, UUID tenantId, UUID id) {
        return connection.preparedQuery(query)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> Rows.findFirst(rows, IntegrationRepository::integration)
                        .orElseThrow(() -> ProblemException.notFound("integration", id)));
    }

    private static @Nullable Buffer buffer(byte @Nullable [] bytes) {
        return bytes == null ? null : Buffer.buffer(bytes);
    }

    private static List<Integration> integrations(RowSet<Row> rows) {
        return Rows.list(rows, IntegrationRepository::integration);
    }

    private static Integration integration(Row row) {
        return new Integration(row.getUUID("tenant_id"), row.getUUID("id"), row.getLong("installation_id"),
                row.getString("name"), Provider.parse(row.getString("provider")), row.getString("base_url"),
                Rows.bytes(row, "credential"), ((Buffer) row.getValue("webhook_secret")).getBytes(),
                row.getOffsetDateTime("created_at").toInstant());
    }
}
