package dev.waybill.controlplane.rollout;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseTable;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Claims due deployments fairly (docs/decisions/0061): workspaces with the fewest claimed deployments come first, and equal
 * workspaces are served round-robin, starting after the workspace that this replica served last. A workspace waits for at most
 * one step of every other workspace.
 */
final class RolloutQueue {

    // The sub-select evaluates the time once, so that the index on next_look_at is used. A deployment's rank is the
    // number of its workspace's deployments that would be claimed with it: those already claimed, those due before it,
    // and itself.
    static final String DUE = """
            WITH held AS MATERIALIZED (
                SELECT t.tenant_id, count(*) AS deployments
                FROM deploy.deployments AS t
                WHERE t.lease_until >= clock_timestamp() AND %1$s
                GROUP BY t.tenant_id),
            ranked AS MATERIALIZED (
                SELECT t.tenant_id, t.id, coalesce(h.deployments, 0)
                    + row_number() OVER (PARTITION BY t.tenant_id ORDER BY t.next_look_at, t.id) AS rank
                    FROM deploy.deployments AS t
                LEFT JOIN held AS h ON h.tenant_id = t.tenant_id
                WHERE t.next_look_at <= (SELECT clock_timestamp())
                    AND (t.lease_until IS NULL OR t.lease_until < clock_timestamp()) AND %1$s)
            SELECT t.tenant_id, t.id
            FROM ranked
            JOIN deploy.deployments AS t ON t.tenant_id = ranked.tenant_id AND t.id = ranked.id
            WHERE ranked.rank <= %2$s AND t.next_look_at <= (SELECT clock_timestamp())
                AND (t.lease_until IS NULL OR t.lease_until < clock_timestamp())
            ORDER BY ranked.rank, t.tenant_id <= $4, t.tenant_id
            LIMIT $3
            FOR UPDATE OF t SKIP LOCKED""";

    private final LeaseTable leases;
    private volatile UUID last = new UUID(0, 0);

    /** @param maxPerWorkspace maximum number of claimed deployments of one workspace, over all replicas */
    RolloutQueue(WorkKind kind, int maxPerWorkspace) {
        this.leases = new LeaseTable("deploy.deployments", DUE.formatted(kind.condition(), maxPerWorkspace));
    }

    LeaseTable leases() {
        return leases;
    }

    /** Claims at most {@code limit} due deployments. */
    Uni<List<Lease>> claim(SqlConnection connection, String owner, Duration lease, int limit) {
        return leases.claim(connection, owner, lease, limit, last)
                .invoke(this::rememberLast);
    }

    private void rememberLast(List<Lease> claimed) {
        UUID before = last;
        claimed.stream()
                .map(Lease::tenantId)
                .max(Comparator.comparing((UUID tenant) -> sortKey(tenant).compareTo(sortKey(before)) <= 0)
                        .thenComparing(RolloutQueue::sortKey))
                .ifPresent(tenant -> last = tenant);
    }

    // PostgreSQL compares UUIDs as their text does; Java's compareTo is signed.
    private static String sortKey(UUID id) {
        return id.toString();
    }

    /**
     * The kind of work that a due deployment needs. Each kind has its own slots, so that restarting a crashed application never
     * waits for builds.
     */
    enum WorkKind {

        /** A revision is being rolled out, which can take minutes. */
        ROLLOUT("EXISTS"),

        /** Observing the active revision, stopping, removing. */
        MAINTENANCE("NOT EXISTS");

        private final String inFlightRevision;

        WorkKind(String inFlightRevision) {
            this.inFlightRevision = inFlightRevision;
        }

        /** Returns the SQL condition for deployments {@code t} that need this kind of work. */
        String condition() {
            return inFlightRevision + """
                     (SELECT FROM deploy.revisions AS r
                    WHERE r.tenant_id = t.tenant_id AND r.deployment_id = t.id AND r.status IN ('CREATING', 'QUEUED',
                        'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING'))""";
        }
    }
}
