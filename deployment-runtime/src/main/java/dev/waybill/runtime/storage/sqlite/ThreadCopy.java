package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;

import dev.waybill.runtime.storage.ThreadKey;

/** Statements that copy a thread: every row gets the key of the copy, so the origin can be deleted. */
final class ThreadCopy {

    /** Tables, and their columns besides the key of the thread. */
    private static final Map<String, String> TABLES = Map.of(
            "thread_values", "channel, version, value",
            "checkpoints", "namespace, checkpoint_id, parent_id, run_id, type, metadata, versions, body",
            "blobs", "namespace, channel, version, run_id, type, size, value_id, value",
            "writes", "namespace, checkpoint_id, task_id, position, run_id, task_path, channel, type, size, value_id, value",
            "chunks", "value_id, part, value");

    private ThreadCopy() {
    }

    /** Copies a thread and its state. The status is that of the last ended run, because the copy has no runs. */
    static void copy(SqliteSession session, ThreadKey source, ThreadKey target, Instant now) throws SQLException {
        session.update("""
                INSERT INTO threads (thread_key, thread_id, owner, status, metadata, config, interrupts, error, checkpoint_id,
                                     ttl_minutes, ttl_strategy, expires_at, created_at, updated_at, state_updated_at)
                SELECT ?1, ?2, owner, status, metadata, config, interrupts, error, checkpoint_id, ttl_minutes, ttl_strategy,
                       ?3 + ttl_minutes * ?4, ?3, ?3, state_updated_at
                  FROM threads WHERE thread_key = ?5
                """, target.key(), target.thread(), now, ThreadState.MICROS_PER_MINUTE, source.key());
        for (Map.Entry<String, String> table : TABLES.entrySet()) {
            // Writes keep their order, which tells the newest answer to an interrupt.
            String order = table.getKey().equals("writes") ? " ORDER BY sequence" : "";
            session.update("INSERT INTO " + table.getKey() + " (thread_key, " + table.getValue() + ") SELECT ?, "
                    + table.getValue() + " FROM " + table.getKey() + " WHERE thread_key = ?" + order, target.key(),
                    source.key());
        }
    }
}
