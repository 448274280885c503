package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.ThreadKey;

/** Deletion of old checkpoints and of the values that only they have. */
final class CheckpointPruning {

    private CheckpointPruning() {
    }

    /** Keeps the newest checkpoints of each namespace; does nothing while the thread has an active run. */
    static int prune(SqliteSession session, ThreadKey thread, int keep) throws SQLException {
        return CheckpointRows.belongsToOwner(session, thread) && !session.exists(
                "SELECT 1 FROM runs WHERE thread_key = ? AND status IN ('pending', 'running')", thread.key())
                        ? prune(session, thread.key(), keep)
                        : 0;
    }

    /** Keeps the newest checkpoints of each namespace of a thread without an active run. */
    static int prune(SqliteSession session, UUID key, int keep) throws SQLException {
        int deleted = 0;
        for (String namespace : session.list("SELECT DISTINCT namespace FROM checkpoints WHERE thread_key = ?",
                row -> row.text("namespace"), key)) {
            deleted += prune(session, key, namespace, keep);
        }
        if (deleted > 0) {
            deleteUnreferencedBlobs(session, key, "TRUE");
        }
        return deleted;
    }

    private static int prune(SqliteSession session, UUID thread, String namespace, int keep) throws SQLException {
        // A delta channel's value is the newest snapshot and all deltas after it, so the chain back to the snapshot stays.
        List<UUID> oldestKept = session.list("""
                WITH numbered AS (
                    SELECT checkpoint_id, row_number() OVER (ORDER BY checkpoint_id DESC) AS number,
                           coalesce(json_extract(metadata, '$.counters_since_delta_snapshot'), '{}') = '{}' AS complete
                      FROM checkpoints WHERE thread_key = ? AND namespace = ?)
                SELECT checkpoint_id FROM numbered WHERE number >= ? AND complete ORDER BY number LIMIT 1
                """, row -> row.id("checkpoint_id"), thread, namespace, keep);
        if (oldestKept.isEmpty()) {
            return 0;
        }
        deleteWrites(session, thread, "namespace = ? AND checkpoint_id < ?", namespace, oldestKept.getFirst());
        return session.update("DELETE FROM checkpoints WHERE thread_key = ? AND namespace = ? AND checkpoint_id < ?", thread,
                namespace, oldestKept.getFirst());
    }

    /** Deletes writes that satisfy a condition. */
    static void deleteWrites(SqliteSession session, UUID thread, String condition, Object... parameters) throws SQLException {
        delete(session, thread, "DELETE FROM writes WHERE thread_key = ? AND " + condition + " RETURNING value_id",
                with(parameters, thread));
    }

    /** Deletes versions of channels that satisfy a condition and that no checkpoint has. */
    static void deleteUnreferencedBlobs(SqliteSession session, UUID thread, String condition, Object... parameters)
            throws SQLException {
        List<@Nullable Object> all = new ArrayList<>(Arrays.asList(with(parameters, thread)));
        all.add(thread);
        delete(session, thread, "DELETE FROM blobs WHERE thread_key = ? AND " + condition + """
                 AND (namespace, channel, version) NOT IN (
                     SELECT c.namespace, v.key, v.value FROM checkpoints c, json_each(c.versions) v WHERE c.thread_key = ?)
                RETURNING value_id
                """, all.toArray());
    }

    private static void delete(SqliteSession session, UUID thread, String sql, @Nullable Object... parameters)
            throws SQLException {
        List<Optional<UUID>> values = session.list(sql, row -> Optional.ofNullable(row.idOrNull("value_id")), parameters);
        SqliteValues.deleteChunks(session, thread, values);
    }

    private static Object[] with(Object[] parameters, Object first) {
        List<Object> all = new ArrayList<>(List.of(first));
        all.addAll(Arrays.asList(parameters));
        return all.toArray();
    }
}
