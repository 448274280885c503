package dev.waybill.export.run;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseTable;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Selects the next run fairly (docs/decisions/0018): from the workspace with the fewest leased runs, then the one served
 * least recently; within it the export by the same order; within that the earliest due day. A workspace waits for at most one
 * run of each other workspace.
 */
@Singleton
class ExportRunQueue {

    // Exports are sorted first, so that only the first one with a due run is searched. SKIP LOCKED excludes exports that are
    // being cancelled or ended.
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
                WHERE e.status = 'Running' AND coalesce(b.runs, 0) < %1$s
                    AND e.started_at > clock_timestamp() - make_interval(secs => %2$s)
                ORDER BY workspace_runs, workspace_served_at NULLS FIRST, export_runs, export_served_at, created_at, id
                ) AS candidate
            CROSS JOIN LATERAL (
                SELECT FROM export.bulk_exports AS e
                WHERE e.tenant_id = candidate.tenant_id AND e.id = candidate.id AND e.status = 'Running'
                FOR NO KEY UPDATE SKIP LOCKED) AS held
            CROSS JOIN LATERAL (
                SELECT r.tenant_id, r.id
                FROM export.runs AS r
                WHERE r.tenant_id = candidate.tenant_id AND r.export_id = candidate.id
                    AND r.state IN ('Created', 'Running', 'Committing')
                    AND r.next_attempt_at <= clock_timestamp()
                    AND (r.lease_until IS NULL OR r.lease_until < clock_timestamp())
                    AND (r.started_at IS NULL OR r.started_at > clock_timestamp() - make_interval(secs => %3$s))
                ORDER BY r.position
                LIMIT 1
                FOR UPDATE SKIP LOCKED) AS run
            ORDER BY candidate.workspace_runs, candidate.workspace_served_at NULLS FIRST, candidate.export_runs, candidate.export_served_at,
                candidate.created_at, candidate.id
            LIMIT $3
            """;

    private static final String MARK_SERVED = """
            UPDATE export.bulk_exports AS e
            SET served_at = clock_timestamp()
            FROM export.runs AS r
            WHERE r.tenant_id = $1 AND r.id = $2 AND e.tenant_id = r.tenant_id AND e.id = r.export_id
            """;

    private final String due;
    private final LeaseTable leases;

    ExportRunQueue(ExportLimitsConfig limits) {
        this.due = DUE.formatted(limits.runningRuns(), limits.exportTimeout().toSeconds(), limits.runTimeout().toSeconds());
        this.leases = new LeaseTable("export.runs", due);
    }

    LeaseTable leases() {
        return leases;
    }

    /** Returns the query of the next run; visible for tests of its plan. */
    String due() {
        return due;
    }

    Uni<List<Lease>> claimNext(SqlConnection connection, String owner, Duration lease) {
        return leases.claim(connection, owner, lease, 1)
                .call(claimed -> claimed.isEmpty()
                        ? Uni.createFrom().voidItem()
                        : markServed(connection, claimed.getFirst().tenantId(), claimed.getFirst().id()));
    }

    private static Uni<Void> markServed(SqlConnection connection, UUID tenantId, UUID runId) {
        return connection.preparedQuery(MARK_SERVED)
                .execute(Tuple.of(tenantId, runId))
                .replaceWithVoid();
    }
}
