package dev.waybill.controlplane.revision;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionCommit;
import dev.waybill.common.api.deployment.RevisionPhases;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.common.database.Rows;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.telemetry.Telemetry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and writes deploy.revisions for the API. */
@Singleton
class RevisionRepository {

    private static final String COLUMNS = """
            tenant_id, id, deployment_id, number, status, status_message, source, source_config::text AS source_config,
                source_revision_config::text AS source_revision_config, repo_commit_sha, secrets, created_at, updated_at, log_lines,
                building_at, deploying_at, health_check_at, ended_at, commit_author, commit_message, committed_at
            """;
    private static final String END_IN_PROGRESS = """
            UPDATE deploy.revisions
            SET status = $3, status_message = $4, updated_at = now(), ended_at = now()
            WHERE tenant_id = $1 AND deployment_id = $2 AND status = ANY ($5)
            """;
    // Revokes the lease of a worker on an older revision, so that the new revision can be claimed immediately.
    private static final String ALLOCATE_NUMBER = """
            UPDATE deploy.deployments
            SET revisions = revisions + 1, latest_revision_id = $3, updated_at = now(), untidy = untidy OR $4, tries = 0,
                next_look_at = clock_timestamp(), lease_token = lease_token + 1, lease_until = NULL, lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2
            RETURNING revisions AS number
            """;
    private static final String REVOKE_LEASE = """
            UPDATE deploy.deployments
            SET untidy = true, tries = 0, next_look_at = clock_timestamp(), lease_token = lease_token + 1, lease_until = NULL,
                lease_owner = NULL
            WHERE tenant_id = $1 AND id = $2
            """;
    private static final String INSERT = """
            INSERT INTO deploy.revisions (tenant_id, id, deployment_id, number, status, source, source_config,
                source_revision_config, repo_commit_sha, secrets, trace_parent)
            VALUES ($1, $2, $3, $4, 'CREATING', $5, $6::text::jsonb, $7::text::jsonb, $8, $9, $10)
            RETURNING """ + " " + COLUMNS;
    static final String FIND = "SELECT " + COLUMNS + """
            FROM deploy.revisions WHERE tenant_id = $1 AND deployment_id = $2 AND id = $3
            """;
    static final String LIST = "SELECT " + COLUMNS + """
            , count(*) OVER () AS total FROM deploy.revisions
            WHERE tenant_id = $1 AND deployment_id = $2 AND (cardinality($3::text[]) = 0 OR status = ANY ($3))
            ORDER BY number DESC
            LIMIT $4 OFFSET $5
            """;
    private static final String COUNT = """
            SELECT count(*) AS total FROM deploy.revisions
            WHERE tenant_id = $1 AND deployment_id = $2 AND (cardinality($3::text[]) = 0 OR status = ANY ($3))
            """;

    static final String VERSIONS = """
            SELECT r.id, r.updated_at, r.log_lines
            FROM unnest($1::uuid[], $2::uuid[]) AS waited (tenant_id, id)
            JOIN deploy.revisions AS r ON r.tenant_id = waited.tenant_id AND r.id = waited.id
            """;

    private final SourceJsonCodec json;
    private final Telemetry telemetry;

    RevisionRepository(SourceJsonCodec json, Telemetry telemetry) {
        this.json = json;
        this.telemetry = telemetry;
    }

    /**
     * Ends revisions in progress; returns whether there were any. The caller holds the lock of the deployment's row.
     */
    Uni<Boolean> endInProgress(SqlConnection connection, UUID tenantId, UUID deploymentId, RevisionStatus end, String why) {
        return connection.preparedQuery(END_IN_PROGRESS)
                .execute(Tuple.of(tenantId, deploymentId, end.name(), why, RevisionStatus.inProgressNames()))
                .map(ended -> ended.rowCount() > 0);
    }

    /** Allocates the number of the deployment's next revision and makes that revision its latest. */
    Uni<Long> allocateNumber(SqlConnection connection, NewRevision revision, UUID id, boolean untidy) {
        return connection.preparedQuery(ALLOCATE_NUMBER)
                .execute(Tuple.of(revision.tenantId(), revision.deploymentId(), id, untidy))
                .map(rows -> rows.iterator().next().getLong("number"));
    }

    /** Revokes the lease of the deployment's worker and schedules the deployment for the next worker. */
    Uni<Void> revokeLease(SqlConnection connection, UUID tenantId, UUID deploymentId) {
        return connection.preparedQuery(REVOKE_LEASE)
                .execute(Tuple.of(tenantId, deploymentId))
                .replaceWithVoid();
    }

    Uni<Revision> insert(SqlConnection connection, NewRevision revision, UUID id, long number, byte[] secrets) {
        RevisionSource source = revision.revisionSource();
        return connection.preparedQuery(INSERT)
                .execute(Tuple.of(revision.tenantId(), id, revision.deploymentId(), number, revision.source().toString(),
                        json.write(revision.deploymentSource()))
                        .addString(json.write(source.at(null)))
                        .addString(source.repoCommitSha())
                        .addValue(secrets.length == 0 ? null : Buffer.buffer(secrets))
                        .addString(telemetry.traceParent()))
                .map(rows -> revision(rows.iterator().next()));
    }

    Uni<Revision> require(SqlConnection connection, UUID tenantId, UUID deploymentId, UUID id) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, deploymentId, id))
                .map(rows -> Rows.findFirst(rows, this::revision)
                        .orElseThrow(() -> ProblemException.notFound("revision", id)));
    }

    Uni<Page<Revision>> list(SqlConnection connection, UUID tenantId, UUID deploymentId, List<RevisionStatus> statuses,
            PageParameters page) {
        String[] names = statuses.stream().map(RevisionStatus::name).toArray(String[]::new);
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId, deploymentId, names, page.limit(), page.offset()))
                .chain(rows -> rows.rowCount() > 0
                        ? Uni.createFrom()
                                .item(new Page<>(Rows.list(rows, this::revision), rows.iterator().next().getLong("total")))
                        // A page after the last one has no row with the total.
                        : connection.preparedQuery(COUNT).execute(Tuple.of(tenantId, deploymentId, names))
                                .map(counted -> new Page<>(List.<Revision> of(),
                                        counted.iterator().next().getLong("total"))));
    }

    /** Returns the {@link RevisionWaiters#version} of each revision; {@code revisions} has the workspace of each. */
    Uni<Map<UUID, Long>> versions(SqlConnection connection, Map<UUID, UUID> revisions) {
        List<Map.Entry<UUID, UUID>> keys = List.copyOf(revisions.entrySet());
        return connection.preparedQuery(VERSIONS)
                .execute(Tuple.of(keys.stream().map(Map.Entry::getValue).toArray(UUID[]::new),
                        keys.stream().map(Map.Entry::getKey).toArray(UUID[]::new)))
                .map(rows -> rows.stream()
                        .collect(Collectors.toMap(row -> row.getUUID("id"), row -> RevisionWaiters
                                .version(row.getOffsetDateTime("updated_at").toInstant(), row.getLong("log_lines")))));
    }

    private Revision revision(Row row) {
        return new Revision(row.getUUID("tenant_id"), row.getUUID("id"), row.getUUID("deployment_id"), row.getLong("number"),
                RevisionStatus.valueOf(row.getString("status")), row.getString("status_message"),
                SourceKind.parse(row.getString("source")), json.read(row.getString("source_config"), DeploymentSource.class),
                json.read(row.getString("source_revision_config"), RevisionSource.class)
                        .at(row.getString("repo_commit_sha")),
                Rows.bytes(row, "secrets"), row.getOffsetDateTime("created_at").toInstant(),
                row.getOffsetDateTime("updated_at").toInstant(), row.getLong("log_lines"), phases(row), commit(row));
    }

    private static RevisionPhases phases(Row row) {
        return new RevisionPhases(row.getOffsetDateTime("created_at").toInstant(), Rows.instant(row, "building_at"),
                Rows.instant(row, "deploying_at"), Rows.instant(row, "health_check_at"), Rows.instant(row, "ended_at"));
    }

    private static @Nullable RevisionCommit commit(Row row) {
        Instant committedAt = Rows.instant(row, "committed_at");
        return committedAt == null ? null
                : new RevisionCommit(row.getString("commit_author"), row.getString("commit_message"), committedAt);
    }
}
