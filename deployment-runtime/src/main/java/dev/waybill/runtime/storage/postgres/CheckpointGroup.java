package dev.waybill.runtime.storage.postgres;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.waybill.runtime.storage.CheckpointStorage.Change;
import dev.waybill.runtime.storage.RunFence;
import io.smallrye.mutiny.Uni;

/** Stores the checkpoints and writes of several runs with one statement. */
final class CheckpointGroup {

    /**
     * Locks the runs that hold their fences (a claim, the end or the deletion of a run waits for the commit) and stores the
     * changes of these runs; returns their fences. Changes refer to a run by its number. The conditions of the run make
     * PostgreSQL find it by its key: it would rather read the index of active runs, which has entries of ended runs, during a
     * backup of all.
     */
    private static final String STORE = """
            WITH held AS MATERIALIZED (
                SELECT f.number
                  FROM runtime.runs r
                  JOIN unnest($26::uuid[], $27::uuid[], $28::int[], $29::timestamptz[]) WITH ORDINALITY
                       f (thread_key, run_id, attempt, created_at, number)
                    ON (r.tenant_id, r.deployment_id, r.run_id, r.thread_key, r.attempt, r.created_at)
                       = ($1, $2, f.run_id, f.thread_key, f.attempt, f.created_at)
                 WHERE r.run_id = ANY($27) AND r.status || '' = 'running'
                 ORDER BY r.run_id FOR SHARE OF r),
            """ + ChangeRows.INSERTS + "SELECT number FROM held";

    private CheckpointGroup() {
    }

    /** Stores the writes of the runs that hold their fences; returns these fences. */
    static Uni<Set<RunFence>> store(DeploymentSql sql, List<Write> group) {
        List<RunFence> fences = group.stream().map(Write::fence).distinct().toList();
        ChangeRows rows = new ChangeRows();
        for (Write write : group) {
            int number = fences.indexOf(write.fence()) + 1;
            write.changes().forEach(change -> rows.add(number, change));
        }
        return sql.execute(STORE, rows.parameters(
                RowValues.array(fences, UUID[]::new, fence -> fence.thread().key()),
                RowValues.array(fences, UUID[]::new, RunFence::run),
                RowValues.array(fences, Integer[]::new, RunFence::attempt),
                RowValues.array(fences, OffsetDateTime[]::new, fence -> RowValues.time(fence.createdAt()))))
                .map(held -> held.stream().map(row -> fences.get(Math.toIntExact(row.getLong(0)) - 1))
                        .collect(Collectors.toSet()));
    }

    /** Changes of a run, in their order. */
    record Write(RunFence fence, List<Change> changes) {

        /** Returns the size of the values that the write holds in memory. */
        long bytes() {
            return changes.stream().mapToLong(Change::bytes).sum();
        }
    }
}
