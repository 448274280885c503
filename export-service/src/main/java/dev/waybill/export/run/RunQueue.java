package dev.waybill.export.run;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.lease.Lease;
import dev.waybill.common.lease.LeaseTable;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Whose turn it is (docs/decisions/0018). The workspace with the fewest runs under way comes first, among equals the one that
 * was served longest ago; within it likewise an export; of that the earliest day that is due. Nobody waits for more than a
 * round
 * of the others, however much they have ordered.
 */
@Singleton
class RunQueue {

    // The exports are few and come in order, so that runs are looked for in the first of them that has one due. The locks are
    // taken without waiting: what is being cancelled or ended this moment is left out.
    private static final String DUE = """
            WITH busy AS MATERIALIZED (
                SELECT tenant_id, export_id, count(*) AS runs
                FROM export.runs
                WHERE lease_until >= clock_timestamp()
                GROUP BY tenant_id, export_id),
            workspaces AS MATERIALIZED (
                SELECT w.tenant_id, coalesce(b.runs, 0) AS runs, (
                    SELECT max(s.served_at)
                    FROM export.bulk_exports AS s
                    WHERE s.tenant_id = w.tenant_id AND s.served_at IS NOT NULL) AS served_at
                FROM (SELECT DISTINCT tenant_id FROM export.bulk_exports WHERE status = 'Running') AS w
                LEFT JOIN (SELECT tenant_id, sum(runs) AS runs FROM busy GROUP BY tenant_id) AS b
                    ON b.tenant_id = w.tenant_id)
            SELECT run.tenant_id, run.id
            FROM (
                SELECT e.tenant_id, e.id, w.runs AS workspace_runs, w.served_at AS workspace_served_at,
                       coalesce(b.runs, 0) AS export_runs, coalesce(e.served_at, e.started_at) AS export_served_at,
                       e.created_at
                FROM export.bulk_exports AS e
                JOIN workspaces AS w ON w.tenant_id = e.tenant_id
                LEFT JOIN busy AS b ON b.tenant_id = e.tenant_id AND b.export_id = e.id
                WHERE e.status = 'Running' AND coalesce(b.runs, 0) < %1$d
                    AND e.started_at > clock_timestamp() - make_interval(secs => %2$d)
                ORDER BY workspace_runs, workspace_served_at NULLS FIRST, export_runs, export_served_at, created_at, id
                ) AS turn
            CROSS JOIN LATERAL (
                SELECT FROM export.bulk_exports AS e
                WHERE e.tenant_id = turn.tenant_id AND e.id = turn.id AND e.status = 'Running'
                FOR NO KEY UPDATE SKIP LOCKED) AS held
            CROSS JOIN LATERAL (
                SELECT r.tenant_id, r.id
                FROM export.runs AS r
                WHERE r.tenant_id = turn.tenant_id AND r.export_id = turn.id
                    AND r.state IN ('Created', 'Running', 'Committing')
                    AND r.next_attempt_at <= clock_timestamp()
                    AND (r.lease_until IS NULL OR r.lease_until < clock_timestamp())
                    AND (r.started_at IS NULL OR r.started_at > clock_timestamp() - make_interval(secs => %3$d))
                ORDER BY r.position
                LIMIT 1
                FOR UPDATE SKIP LOCKED) AS run
            ORDER BY turn.workspace_runs, turn.workspace_served_at NULLS FIRST, turn.export_runs, turn.export_served_at,
                turn.created_at, turn.id
            LIMIT $3
            """;

    private static final String SERVED = """
            UPDATE export.bulk_exports AS e
            SET served_at = clock_timestamp()
            FROM export.runs AS r
            WHERE r.tenant_id = $1 AND r.id = $2 AND e.tenant_id = r.tenant_id AND e.id = r.export_id
            """;

    private final String due;
    private final LeaseTable leases;

    RunQueue(ExportLimits limits) {
        this.due = DUE.formatted(limits.runningRuns(), limits.exportTime().toSeconds(), limits.runTime().toSeconds());
        this.leases = new LeaseTable("export.runs", due);
    }

    LeaseTable leases() {
        return leases;
    }

    /** The query that finds the run whose turn it is; tests look at its plan. */
    String due() {
        return due;
    }

    Uni<List<Lease>> claimNext(SqlConnection connection, String owner, Duration lease) {
        return leases.claim(connection, owner, lease, 1)
                .call(claimed -> claimed.isEmpty()
                        ? Uni.createFrom().voidItem()
                        : served(connection, claimed.getFirst().tenantId(), claimed.getFirst().id()));
    }

    private static Uni<Void> served(SqlConnection connection, UUID tenantId, UUID runId) {
        return connection.preparedQuery(SERVED)
                .execute(Tuple.of(tenantId, runId))
                .replaceWithVoid();
    }
}
