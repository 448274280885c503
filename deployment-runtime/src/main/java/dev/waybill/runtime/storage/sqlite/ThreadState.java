package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.waybill.runtime.storage.RunStorage.RunEnd;
import dev.waybill.runtime.storage.RunStorage.State;
import dev.waybill.runtime.storage.ThreadStorage.ChannelValue;

/** Statements that store the result of a run in its thread. */
final class ThreadState {

    static final long MICROS_PER_MINUTE = 60_000_000;

    private ThreadState() {
    }

    /** Stores status and state, and begins the thread's time to live again. */
    static void store(SqliteSession session, UUID thread, RunEnd end, Instant now) throws SQLException {
        session.update("""
                UPDATE threads SET status = ?1, error = ?2, updated_at = ?3, expires_at = ?3 + ttl_minutes * ?4
                 WHERE thread_key = ?5
                """, end.thread(), end.error(), now, MICROS_PER_MINUTE, thread);
        if (end.state() != null) {
            store(session, thread, end.state(), now);
        }
    }

    private static void store(SqliteSession session, UUID thread, State state, Instant now) throws SQLException {
        session.update("UPDATE threads SET interrupts = ?, checkpoint_id = ?, state_updated_at = ? WHERE thread_key = ?",
                state.interrupts(), state.checkpoint(), now, thread);
        for (Map.Entry<String, ChannelValue> value : state.values().entrySet()) {
            session.update("""
                    INSERT INTO thread_values (thread_key, channel, version, value) VALUES (?, ?, ?, ?)
                    ON CONFLICT (thread_key, channel) DO UPDATE SET version = excluded.version, value = excluded.value
                    """, thread, value.getKey(), value.getValue().version(), value.getValue().json());
        }
        List<String> stored = session.list("SELECT channel FROM thread_values WHERE thread_key = ?", row -> row.text("channel"),
                thread);
        for (String channel : stored) {
            if (!state.channels().contains(channel)) {
                session.update("DELETE FROM thread_values WHERE thread_key = ? AND channel = ?", thread, channel);
            }
        }
    }
}
