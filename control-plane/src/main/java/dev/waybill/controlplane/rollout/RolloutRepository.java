package dev.waybill.controlplane.rollout;

import java.net.URI;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentSource;
import dev.waybill.common.api.deployment.RevisionSource;
import dev.waybill.common.api.deployment.RevisionStatus;
import dev.waybill.common.api.deployment.SourceKind;
import dev.waybill.common.database.Rows;
import dev.waybill.common.job.Lease;
import dev.waybill.controlplane.revision.SourceJsonCodec;
import dev.waybill.controlplane.rollout.RolloutState.Target;
import dev.waybill.controlplane.source.CommitDescription;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Reads and writes the claimed deployment. Every write starts with the deployment's row and compares the lease's token; an
 * update of no row means that the lease was lost.
 */
@Singleton
class RolloutRepository {

    private static final String DEPLOYMENT = """
            SELECT name, port, url, deleted_at IS NOT NULL AS deleted, untidy, tries, next_look_at, platform_secrets,
                latest_revision_id, active_revision_id
            FROM deploy.deployments
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3
            """;
    private static final String REVISIONS = """
            SELECT id, number, status, status_message, source, source_config::text AS source_config,
                source_revision_config::text AS source_revision_config, repo_commit_sha, secrets, platform_variables,
                extract(epoch FROM clock_timestamp() - step_since)::float8 AS age, log_lines, trace_parent
            FROM deploy.revisions
            WHERE tenant_id = $1 AND deployment_id = $2 AND id = ANY ($3)
            """;
    // A change that the engine reports while the lease is held makes the row due and must survive this update. After a
    // failure the backoff applies instead, or each event of a failing step would repeat it immediately. Both times are equal:
    // clock_timestamp() would let the step become due a microsecond before its pause ends.
    private static final String WRITE = """
            UPDATE deploy.deployments
            SET active_revision_id = coalesce($4, active_revision_id), untidy = coalesce($5, untidy),
                tries = CASE WHEN $6 THEN tries + 1 ELSE 0 END,
                updated_at = CASE WHEN $4::uuid IS NULL THEN updated_at ELSE now() END,
                lease_until = CASE WHEN $7 THEN NULL ELSE lease_until END,
                lease_owner = CASE WHEN $7 THEN NULL ELSE lease_owner END,
                next_look_at = CASE WHEN NOT $7 OR ($10 AND next_look_at IS DISTINCT FROM $8) THEN next_look_at
                    WHEN $9::float8 IS NULL THEN NULL ELSE statement_timestamp() + make_interval(secs => $9) END,
                paused_until = CASE WHEN $7 AND NOT $10 THEN statement_timestamp() + make_interval(secs => $9) END
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND lease_until IS NOT NULL
            """;
    private static final String MOVE = """
            UPDATE deploy.revisions
            SET status = $3, status_message = $4, repo_commit_sha = coalesce($5, repo_commit_sha), updated_at = now(),
                step_since = CASE WHEN status = $3 THEN step_since ELSE now() END,
                building_at = CASE WHEN $3 = 'BUILDING' THEN coalesce(building_at, now()) ELSE building_at END,
                deploying_at = CASE WHEN $3 = 'DEPLOYING' THEN coalesce(deploying_at, now()) ELSE deploying_at END,
                health_check_at = CASE WHEN $7 THEN coalesce(health_check_at, now()) ELSE health_check_at END,
                ended_at = CASE WHEN $3 <> ALL ($8) AND status = ANY ($8) THEN now() ELSE ended_at END
            WHERE tenant_id = $1 AND id = $2 AND status = $6
                AND (status <> $3 OR status_message IS DISTINCT FROM $4 OR $5::text IS NOT NULL
                    OR ($7 AND health_check_at IS NULL))
            """;
    // A build of the same commit can be reused without another checkout.
    private static final String COPY_COMMIT = """
            UPDATE deploy.revisions AS r
            SET commit_author = earlier.commit_author, commit_message = earlier.commit_message,
                committed_at = earlier.committed_at
            FROM deploy.revisions AS earlier
            WHERE r.tenant_id = $1 AND r.id = $2 AND r.committed_at IS NULL
                AND earlier.tenant_id = $1 AND earlier.deployment_id = r.deployment_id
                AND earlier.repo_commit_sha = r.repo_commit_sha AND earlier.committed_at IS NOT NULL
            """;
    private static final String STORE_COMMIT = """
            UPDATE deploy.revisions
            SET commit_author = $3, commit_message = $4, committed_at = $5, updated_at = now()
            WHERE tenant_id = $1 AND id = $2 AND committed_at IS NULL
            """;
    private static final String REMOVE = """
            DELETE FROM deploy.deployments
            WHERE tenant_id = $1 AND id = $2 AND lease_token = $3 AND deleted_at IS NOT NULL
            """;
    private static final String MARK_DUE = """
            UPDATE deploy.deployments SET next_look_at = least(next_look_at, greatest(clock_timestamp(), paused_until))
            WHERE tenant_id = $1 AND id = $2
            """;
    private static final String MARK_ALL_ACTIVE_DUE = """
            UPDATE deploy.deployments SET next_look_at = clock_timestamp()
            WHERE active_revision_id IS NOT NULL AND next_look_at > clock_timestamp()
            """;

    private final SourceJsonCodec json;

    RolloutRepository(SourceJsonCodec json) {
        this.json = json;
    }

    /** Loads the claimed deployment and the state of its revisions. */
    Uni<RolloutState> load(SqlConnection connection, Lease lease) {
        return connection.preparedQuery(DEPLOYMENT)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token()))
                .invoke(rows -> lease.requireHeld(rows.rowCount()))
                .map(rows -> rows.iterator().next())
                .chain(row -> connection.preparedQuery(REVISIONS)
                        .execute(Tuple.of(lease.tenantId(), lease.id(), revisionIds(row)))
                        .map(revisions -> state(lease, row, targets(revisions))));
    }

    /** Updates the deployment. */
    Uni<Void> write(SqlConnection connection, Lease lease, RolloutState state, Write write) {
        return connection.preparedQuery(WRITE)
                .execute(Tuple
                        .of(lease.tenantId(), lease.id(), lease.token(), write.active(), write.needsCleanup(),
                                write.attempted())
                        .addBoolean(write.release())
                        .addOffsetDateTime(state.dueAt())
                        .addValue(seconds(write.dueAfter()))
                        .addBoolean(write.interruptible()))
                .invoke(updated -> lease.requireHeld(updated.rowCount()))
                .replaceWithVoid();
    }

    /** Moves a revision, after {@link #write}. */
    Uni<Void> move(SqlConnection connection, Lease lease, Target from, Move move) {
        RevisionStatus to = move.to();
        if (from.status() != to && !from.status().mayBecome(to)) {
            throw new IllegalStateException("a revision that is " + from.status() + " cannot become " + to);
        }
        return connection.preparedQuery(MOVE)
                .execute(Tuple.of(lease.tenantId(), from.id(), to.name(), move.message(), move.commit(), from.status().name())
                        .addBoolean(move.isHealthCheck())
                        .addArrayOfString(RevisionStatus.inProgressNames()))
                .chain(() -> to != RevisionStatus.BUILDING ? Uni.createFrom().voidItem()
                        : connection.preparedQuery(COPY_COMMIT).execute(Tuple.of(lease.tenantId(), from.id()))
                                .replaceWithVoid());
    }

    /** Stores the description of a revision's commit, unless it is known. */
    Uni<Void> storeCommit(SqlConnection connection, Lease lease, UUID revisionId, CommitDescription commit) {
        return connection.preparedQuery(STORE_COMMIT)
                .execute(Tuple.of(lease.tenantId(), revisionId, commit.author(), commit.message(),
                        commit.committedAt().atOffset(ZoneOffset.UTC)))
                .replaceWithVoid();
    }

    /** Deletes the deployment with everything that belongs to it. */
    Uni<Void> remove(SqlConnection connection, Lease lease) {
        return connection.preparedQuery(REMOVE)
                .execute(Tuple.of(lease.tenantId(), lease.id(), lease.token()))
                .invoke(deleted -> lease.requireHeld(deleted.rowCount()))
                .replaceWithVoid();
    }

    Uni<Void> markDue(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(MARK_DUE)
                .execute(Tuple.of(tenantId, id))
                .replaceWithVoid();
    }

    Uni<Void> markAllActiveDue(SqlConnection connection) {
        return connection.query(MARK_ALL_ACTIVE_DUE)
                .execute()
                .replaceWithVoid();
    }

    private static UUID[] revisionIds(Row row) {
        UUID latest = row.getUUID("latest_revision_id");
        UUID active = row.getUUID("active_revision_id");
        return active == null ? new UUID[] { latest } : new UUID[] { latest, active };
    }

    private static RolloutState state(Lease lease, Row row, Map<UUID, Target> targets) {
        return new RolloutState(lease.tenantId(), lease.id(), row.getString("name"), row.getInteger("port"),
                URI.create(row.getString("url")), row.getBoolean("deleted"), row.getBoolean("untidy"),
                row.getInteger("tries"), row.getOffsetDateTime("next_look_at"), Rows.bytes(row, "platform_secrets"),
                targets.get(row.getUUID("latest_revision_id")),
                targets.get(row.getUUID("active_revision_id")));
    }

    private Map<UUID, Target> targets(RowSet<Row> rows) {
        Map<UUID, Target> targets = new HashMap<>();
        for (Row row : rows) {
            targets.put(row.getUUID("id"), new Target(row.getUUID("id"), row.getLong("number"),
                    RevisionStatus.valueOf(row.getString("status")), row.getString("status_message"),
                    SourceKind.parse(row.getString("source")),
                    json.read(row.getString("source_config"), DeploymentSource.class),
                    json.read(row.getString("source_revision_config"), RevisionSource.class)
                            .at(row.getString("repo_commit_sha")),
                    Rows.bytes(row, "secrets"), names(row, "platform_variables"),
                    Duration.ofMillis(Math.round(row.getDouble("age") * 1_000)), row.getLong("log_lines"),
                    row.getString("trace_parent")));
        }
        return targets;
    }

    private static @Nullable Set<String> names(Row row, String column) {
        String[] names = row.getArrayOfStrings(column);
        return names == null ? null : Set.of(names);
    }

    private static @Nullable Double seconds(@Nullable Duration time) {
        return time == null ? null : time.toMillis() / 1_000.0;
    }

    /**
     * The changes of a revision.
     *
     * @param commit the commit that was resolved; null leaves it unchanged
     * @param isHealthCheck whether its application was started and is not healthy yet
     */
    record Move(RevisionStatus to, @Nullable String message, @Nullable String commit, boolean isHealthCheck) {
    }

    /**
     * The changes of a deployment.
     *
     * @param active the new active revision; null leaves it unchanged
     * @param needsCleanup whether resources must be cleaned up; null leaves it unchanged
     * @param attempted whether this was an unsuccessful attempt
     * @param release whether the lease is released
     * @param dueAfter time until the released deployment is due again; null until a request makes it due
     * @param interruptible whether a change that the engine reports makes it due earlier
     */
    record Write(@Nullable UUID active, @Nullable Boolean needsCleanup, boolean attempted, boolean release,
            @Nullable Duration dueAfter, boolean interruptible) {

        /** Changes nothing and checks that the lease is still held. */
        static final Write KEEP_LEASE = new Write(null, null, false, false, null, true);

        Write active(UUID revision) {
            return new Write(revision, needsCleanup, attempted, release, dueAfter, interruptible);
        }

        Write needsCleanup(boolean now) {
            return new Write(active, now, attempted, release, dueAfter, interruptible);
        }

        Write interruptible(boolean now) {
            return new Write(active, needsCleanup, attempted, release, dueAfter, now);
        }

        static Write release(boolean attempted, @Nullable Duration dueAfter) {
            return new Write(null, null, attempted, true, dueAfter, true);
        }
    }
}
