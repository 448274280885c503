package dev.waybill.controlplane.rollout;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.lease.Lease;
import dev.waybill.common.lease.LeaseTable;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Whose turn it is (docs/decisions/0061). The workspace of which the fewest deployments are worked on comes first. Among
 * equals it goes round: the workspaces stand in a ring, and a replica goes on behind the one it came to last. So nobody waits
 * for more than one step of each other workspace, however much those have asked for.
 */
final class RolloutQueue {

    // The time is asked for once (SELECT), or no index could be looked up by it and all that are at rest would be read each time.
    // A deployment's turn is how many of its workspace would be worked on with it: those that are, those before it, itself.
    static final String DUE = """
            WITH held AS MATERIALIZED (
                SELECT t.tenant_id, count(*) AS deployments
                FROM deploy.deployments AS t
                WHERE t.lease_until >= clock_timestamp() AND %1$s
                GROUP BY t.tenant_id),
            turns AS MATERIALIZED (
                SELECT t.tenant_id, t.id, coalesce(h.deployments, 0)
                    + row_number() OVER (PARTITION BY t.tenant_id ORDER BY t.next_look_at, t.id) AS turn
                FROM deploy.deployments AS t
                LEFT JOIN held AS h ON h.tenant_id = t.tenant_id
                WHERE t.next_look_at <= (SELECT clock_timestamp())
                    AND (t.lease_until IS NULL OR t.lease_until < clock_timestamp()) AND %1$s)
            SELECT t.tenant_id, t.id
            FROM turns
            JOIN deploy.deployments AS t ON t.tenant_id = turns.tenant_id AND t.id = turns.id
            WHERE turns.turn <= %2$d AND t.next_look_at <= (SELECT clock_timestamp())
                AND (t.lease_until IS NULL OR t.lease_until < clock_timestamp())
            ORDER BY turns.turn, t.tenant_id <= $4, t.tenant_id
            LIMIT $3
            FOR UPDATE OF t SKIP LOCKED""";

    private final LeaseTable leases;
    private volatile UUID last = new UUID(0, 0);

    /** @param mostOfWorkspace how many deployments of one workspace may be worked on, in all replicas together */
    RolloutQueue(Errand errand, int mostOfWorkspace) {
        this.leases = new LeaseTable("deploy.deployments", DUE.formatted(errand.condition(), mostOfWorkspace));
    }

    /** Takes so many of the deployments that are due. */
    Uni<List<Lease>> claim(SqlConnection connection, String owner, Duration lease, int most) {
        return most <= 0 ? Uni.createFrom().item(List.of())
                : leases.claim(connection, owner, lease, most, last)
                        .invoke(this::goOnBehind);
    }

    private void goOnBehind(List<Lease> claimed) {
        UUID before = last;
        claimed.stream()
                .map(Lease::tenantId)
                .max(Comparator.comparing((UUID tenant) -> inOrder(tenant).compareTo(inOrder(before)) <= 0)
                        .thenComparing(RolloutQueue::inOrder))
                .ifPresent(tenant -> last = tenant);
    }

    // As PostgreSQL compares them.
    private static String inOrder(UUID id) {
        return id.toString();
    }
}
