package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.waybill.runtime.storage.RunStorage;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Cancellation;
import dev.waybill.runtime.storage.RunStorage.Replica;
import dev.waybill.runtime.storage.RunStorage.ReplicaTick;
import dev.waybill.runtime.storage.RunStorage.StartedRun;

/** Statements of leases. A file has one replica at a time, and rows of those that were killed before. */
final class ReplicaRows {

    private ReplicaRows() {
    }

    /** Extends a lease; starts and returns the due runs of the replica and of lost ones. */
    static ReplicaTick renew(SqliteSession session, Replica replica, Instant now) throws SQLException {
        extend(session, replica, now);
        List<Cancellation> cancellations = session.list(
                "SELECT run_id, cancel FROM runs WHERE replica_id = ? AND status = 'running' AND cancel IS NOT NULL",
                row -> new Cancellation(row.id("run_id"), row.constant(CancelAction.class, "cancel")), replica.id());
        List<UUID> withdrawn = new ArrayList<>();
        for (UUID run : replica.waiting()) {
            if (!session.exists("SELECT 1 FROM runs WHERE run_id = ? AND replica_id = ? AND status IN ('pending', 'running')",
                    run, replica.id())) {
                withdrawn.add(run);
            }
        }
        return new ReplicaTick(cancellations, startDue(session, replica.id(), now), withdrawn, Set.of());
    }

    private static void extend(SqliteSession session, Replica replica, Instant now) throws SQLException {
        session.update("""
                INSERT INTO replicas (replica_id, lease_until) VALUES (?, ?)
                ON CONFLICT (replica_id) DO UPDATE SET lease_until = excluded.lease_until
                """, replica.id(), now.plus(replica.lease()));
        session.update("DELETE FROM replicas WHERE lease_until <= ?", now);
    }

    private static List<StartedRun> startDue(SqliteSession session, UUID replica, Instant now) throws SQLException {
        List<UUID> threads = session.list("""
                SELECT DISTINCT thread_key FROM runs WHERE status = 'pending' AND (run_at IS NULL OR run_at <= ?)
                """, row -> row.id("thread_key"), now);
        List<StartedRun> started = new ArrayList<>();
        for (UUID thread : threads) {
            Optional<UUID> next = RunRows.nextOf(session, thread, replica, now);
            if (next.isPresent()) {
                started.add(RunRows.start(session, next.get(), replica, now));
            }
        }
        return started;
    }

    /** Takes over running runs of replicas without a lease. */
    static List<StartedRun> claimLost(SqliteSession session, Replica replica, int limit, Instant now) throws SQLException {
        extend(session, replica, now);
        List<LostRun> lost = session.list("""
                SELECT run_id, replica_id FROM runs r
                 WHERE status = 'running' AND (replica_id = ? AND updated_at <= ? OR NOT EXISTS (SELECT 1 FROM replicas p
                       WHERE p.replica_id = r.replica_id AND p.lease_until > ?))
                 ORDER BY created_at, run_id
                """, row -> new LostRun(row.id("run_id"), row.id("replica_id")), replica.id(),
                now.minus(RunStorage.UNKNOWN_AGE),
                now).stream()
                .filter(run -> !run.replica().equals(replica.id()) || !replica.known().contains(run.id()))
                .limit(limit).toList();
        List<StartedRun> claimed = new ArrayList<>();
        for (LostRun run : lost) {
            claimed.add(RunRows.start(session, run.id(), replica.id(), now));
        }
        return claimed;
    }

    private record LostRun(UUID id, UUID replica) {
    }
}
