package dev.waybill.controlplane.deployment;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.common.database.Rows;
import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.controlplane.deployment.Deployment.Active;
import dev.waybill.controlplane.deployment.Deployment.Specification;
import dev.waybill.controlplane.deployment.validation.CustomUrlPolicy;
import dev.waybill.controlplane.deployment.validation.DeploymentConfig;
import dev.waybill.controlplane.revision.EnvironmentEncryptor;
import dev.waybill.controlplane.revision.NewRevision;
import dev.waybill.controlplane.revision.SourceJsonCodec;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/** Reads and writes deploy.deployments for the API. */
@Singleton
class DeploymentRepository {

    /** Selects a deployment with its active revision ({@code a}) and its latest one ({@code l}). */
    private static final String SELECT = """
            SELECT d.tenant_id, d.id, d.name, d.display_name, d.source, d.source_config::text AS source_config,
                d.source_revision_config::text AS source_revision_config, d.secrets, d.secret_names, d.url, d.latest_revision_id,
                d.active_revision_id, d.created_at, d.updated_at, d.deleted_at IS NOT NULL AS deleted,
                a.status AS active_status, a.status_message AS active_message, a.repo_commit_sha AS active_commit,
                l.status AS latest_status,
                count(*) OVER () AS total
            FROM deploy.deployments AS d
            LEFT JOIN deploy.revisions AS a ON a.tenant_id = d.tenant_id AND a.id = d.active_revision_id
            LEFT JOIN deploy.revisions AS l ON l.tenant_id = d.tenant_id AND l.id = d.latest_revision_id
            """;
    private static final String INSERT = """
            INSERT INTO deploy.deployments (tenant_id, id, name, source, source_config, source_revision_config, secrets,
                secret_names, port, url, custom_address)
            VALUES ($1, $2, $3, $4, $5::text::jsonb, $6::text::jsonb, $7, $8, $9, $10, $11)
            ON CONFLICT (tenant_id, name) WHERE deleted_at IS NULL DO NOTHING
            """;
    static final String FIND = SELECT + " WHERE d.tenant_id = $1 AND d.id = $2";
    private static final String LOCK = """
            SELECT id FROM deploy.deployments WHERE tenant_id = $1 AND id = $2 FOR UPDATE
            """;
    static final String LIST = SELECT + """
            WHERE d.tenant_id = $1 AND ($2::text IS NULL OR strpos(lower(d.name), lower($2)) > 0)
                AND ($3::text IS NULL OR d.name = $3)
                AND ($4::text IS NULL OR $4 = CASE WHEN d.deleted_at IS NOT NULL THEN 'AWAITING_DELETE'
                    WHEN d.active_revision_id IS NULL THEN 'UNUSED' WHEN a.status = 'UNKNOWN' THEN 'UNKNOWN' ELSE 'READY' END)
            ORDER BY d.created_at DESC, d.id
            LIMIT $5 OFFSET $6
            """;
    private static final String UPDATE = """
            UPDATE deploy.deployments
            SET source_config = $3::text::jsonb, source_revision_config = $4::text::jsonb, secrets = $5, secret_names = $6,
                url = $7, custom_address = $8, updated_at = now()
            WHERE tenant_id = $1 AND id = $2
            """;
    private static final String CUSTOM_ADDRESSES = "deployments_custom_address";
    private static final String COUNT = """
            SELECT count(*) AS present FROM deploy.deployments WHERE tenant_id = $1 AND deleted_at IS NULL
            """;
    private static final String RENAME = """
            UPDATE deploy.deployments SET display_name = $3, updated_at = now() WHERE tenant_id = $1 AND id = $2
            """;
    private static final String DELETE = """
            UPDATE deploy.deployments SET deleted_at = now(), updated_at = now()
            WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
            """;
    // Serializes allocations; concurrent transactions would select the same free port.
    private static final String PORT_LOCK = "SELECT pg_advisory_xact_lock(7203450001)";
    private static final String ALLOCATE_PORT = """
            INSERT INTO deploy.ports (port, tenant_id, deployment_id)
            SELECT candidate, $3, $4
            FROM generate_series($1::int, $2::int) AS candidate
            WHERE NOT EXISTS (SELECT FROM deploy.ports AS taken WHERE taken.port = candidate)
            ORDER BY candidate
            LIMIT 1
            RETURNING port
            """;
    private static final String BUILT_ON_PUSH = SELECT + """
            WHERE d.tenant_id = $1 AND d.integration_id = $2 AND d.deleted_at IS NULL
                AND d.source_config ->> 'build_on_push' = 'true'
            ORDER BY d.id
            """;

    private final SourceJsonCodec json;
    private final EnvironmentEncryptor encryptor;
    private final DeploymentConfig config;

    DeploymentRepository(SourceJsonCodec json, EnvironmentEncryptor encryptor, DeploymentConfig config) {
        this.json = json;
        this.encryptor = encryptor;
        this.config = config;
    }

    /** Returns the number of the workspace's deployments that are not being deleted. */
    Uni<Long> count(SqlConnection connection, UUID tenantId) {
        return connection.preparedQuery(COUNT)
                .execute(Tuple.of(tenantId))
                .map(rows -> rows.iterator().next().getLong("present"));
    }

    /**
     * Inserts the row from its first revision. Fails with 409 if the name exists or no port is free, 422 if another deployment
     * has the custom URL.
     */
    Uni<Void> insert(SqlConnection connection, String name, NewRevision deployment) {
        return allocatePort(connection, deployment)
                .chain(port -> connection.preparedQuery(INSERT)
                        .execute(Tuple
                                .of(deployment.tenantId(), deployment.deploymentId(), name, deployment.source().toString(),
                                        json.write(deployment.deploymentSource()), json.write(deployment.revisionSource()))
                                .addValue(encrypted(deployment.tenantId(), deployment.deploymentId(), deployment.secrets()))
                                .addArrayOfString(names(deployment.secrets()))
                                .addInteger(port)
                                .addString(address(name, deployment, port))
                                .addString(CustomUrlPolicy.uniqueKey(deployment.deploymentSource().customUrl()))))
                .onFailure(DeploymentRepository::isDuplicateAddress).transform(DeploymentRepository::duplicateAddress)
                .invoke(inserted -> requireInserted(inserted.rowCount(), name))
                .replaceWithVoid();
    }

    Uni<Deployment> require(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, id))
                .invoke(found -> requireOne(found, id))
                .map(found -> deployment(found.iterator().next()));
    }

    /** Returns the deployment and locks its row against changes, new revisions and rollout steps. */
    Uni<Deployment> requireForUpdate(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of(tenantId, id))
                .invoke(found -> requireOne(found, id))
                .chain(() -> require(connection, tenantId, id));
    }

    Uni<Page<Deployment>> list(SqlConnection connection, UUID tenantId, DeploymentFilter filter) {
        return connection.preparedQuery(LIST)
                .execute(list(tenantId, filter, filter.page().limit(), filter.page().offset()))
                .chain(found -> found.rowCount() > 0 || filter.page().offset() == 0
                        ? Uni.createFrom().item(page(found))
                        // A page after the last one has no row with the total.
                        : connection.preparedQuery(LIST)
                                .execute(list(tenantId, filter, 1, 0))
                                .map(first -> new Page<>(List.<Deployment> of(), page(first).total())));
    }

    Uni<Void> change(SqlConnection connection, Deployment current, DeploymentPatch change) {
        String custom = change.deploymentSource().customUrl();
        return connection.preparedQuery(UPDATE)
                .execute(Tuple.of(current.tenantId(), current.id(), json.write(change.deploymentSource()),
                        json.write(change.revisionSource()))
                        .addValue(encrypted(current.tenantId(), current.id(), change.secrets()))
                        .addArrayOfString(names(change.secrets()))
                        .addString(custom == null ? current.url() : custom)
                        .addString(CustomUrlPolicy.uniqueKey(custom)))
                .onFailure(DeploymentRepository::isDuplicateAddress).transform(DeploymentRepository::duplicateAddress)
                .replaceWithVoid();
    }

    Uni<Void> rename(SqlConnection connection, UUID tenantId, UUID id, String displayName) {
        return connection.preparedQuery(RENAME)
                .execute(Tuple.of(tenantId, id, displayName))
                .replaceWithVoid();
    }

    Uni<Void> markDeleted(SqlConnection connection, Deployment current) {
        return connection.preparedQuery(DELETE)
                .execute(Tuple.of(current.tenantId(), current.id()))
                .replaceWithVoid();
    }

    /** Returns the deployments of an integration that are built on push. */
    Uni<List<Deployment>> findBuildOnPush(SqlConnection connection, UUID tenantId, UUID integrationId) {
        return connection.preparedQuery(BUILT_ON_PUSH)
                .execute(Tuple.of(tenantId, integrationId))
                .map(this::deployments);
    }

    private Uni<Integer> allocatePort(SqlConnection connection, NewRevision deployment) {
        if (!config.usesPorts()) {
            return Uni.createFrom().item(0);
        }
        return connection.query(PORT_LOCK).execute()
                .chain(() -> connection.preparedQuery(ALLOCATE_PORT)
                        .execute(Tuple.of(config.firstPort(), config.lastPort(), deployment.tenantId(),
                                deployment.deploymentId())))
                .map(DeploymentRepository::port);
    }

    private String address(String name, NewRevision deployment, int port) {
        String custom = deployment.deploymentSource().customUrl();
        return custom == null ? config.address(deployment.tenantId(), deployment.deploymentId(), name, port).toString()
                : custom;
    }

    private @Nullable Buffer encrypted(UUID tenantId, UUID id, Map<String, String> secrets) {
        byte[] encrypted = encryptor.encrypt(secrets, tenantId, id);
        return encrypted == null ? null : Buffer.buffer(encrypted);
    }

    private Page<Deployment> page(RowSet<Row> found) {
        Long total = Rows.first(found, row -> row.getLong("total"));
        return new Page<>(deployments(found), total == null ? 0 : total);
    }

    private static Tuple list(UUID tenantId, DeploymentFilter filter, int limit, int offset) {
        return Tuple.of(tenantId, filter.nameContains(), filter.name(),
                filter.status() == null ? null : filter.status().name(), limit, offset);
    }

    private static String[] names(Map<String, String> secrets) {
        return secrets.keySet().stream().sorted().toArray(String[]::new);
    }

    private static int port(RowSet<Row> allocated) {
        if (allocated.rowCount() == 0) {
            throw ProblemException.conflict(
                    "Every port for deployments is in use; delete a deployment, or ask the operator for a larger port range.");
        }
        return allocated.iterator().next().getInteger("port");
    }

    private static boolean isDuplicateAddress(Throwable failure) {
        return failure instanceof PgException exception && CUSTOM_ADDRESSES.equals(exception.getConstraint());
    }

    private static ProblemException duplicateAddress(Throwable failure) {
        return ProblemException.invalid(new Violation(List.of("source_config", "custom_url"),
                "is the address of another deployment; choose another one", "taken"));
    }

    private static void requireInserted(int inserted, String name) {
        if (inserted == 0) {
            throw ProblemException.conflict("The workspace already has a deployment named \"" + name + "\".");
        }
    }

    private static void requireOne(RowSet<Row> found, UUID id) {
        if (found.rowCount() != 1) {
            throw ProblemException.notFound("deployment", id);
        }
    }

    private List<Deployment> deployments(RowSet<Row> rows) {
        return Rows.list(rows, this::deployment);
    }

    private Deployment deployment(Row row) {
        return new Deployment(row.getUUID("tenant_id"), row.getUUID("id"), row.getString("name"),
                row.getString("display_name"), specification(row), row.getString("url"), row.getUUID("latest_revision_id"),
                latestStatus(row),
                active(row), row.getOffsetDateTime("created_at").toInstant(),
                row.getOffsetDateTime("updated_at").toInstant(), row.getBoolean("deleted"));
    }

    private Specification specification(Row row) {
        return new Specification(SourceKind.parse(row.getString("source")),
                json.read(row.getString("source_config"), DeploymentSource.class),
                json.read(row.getString("source_revision_config"), RevisionSource.class),
                Rows.bytes(row, "secrets"), Arrays.asList(row.getArrayOfStrings("secret_names")));
    }

    private static @Nullable RevisionStatus latestStatus(Row row) {
        String status = row.getString("latest_status");
        return status == null ? null : RevisionStatus.valueOf(status);
    }

    private static @Nullable Active active(Row row) {
        UUID id = row.getUUID("active_revision_id");
        return id == null ? null
                : new Active(id, RevisionStatus.valueOf(row.getString("active_status")), row.getString("active_message"),
                        row.getString("active_commit"));
    }
}
