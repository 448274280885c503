package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.waybill.runtime.storage.ThreadStorage.ExpiryStrategy;

/** Expiry of threads without active runs, by their strategies. */
final class ExpiredThreads {

    private ExpiredThreads() {
    }

    /** Expires at most so many threads; returns their number. */
    static int expire(SqliteSession session, Instant now, int limit) throws SQLException {
        List<Expired> expired = session.list("""
                SELECT thread_key, ttl_strategy FROM threads t
                 WHERE expires_at <= ? AND NOT EXISTS (SELECT 1 FROM runs r
                       WHERE r.thread_key = t.thread_key AND r.status IN ('pending', 'running'))
                 ORDER BY expires_at LIMIT ?
                """, row -> new Expired(row.id("thread_key"), row.constant(ExpiryStrategy.class, "ttl_strategy")), now, limit);
        for (Expired thread : expired) {
            switch (thread.strategy()) {
                case DELETE -> DeletedThreads.delete(session, thread.key());
                case KEEP_LATEST -> {
                    CheckpointPruning.prune(session, thread.key(), 1);
                    // The next run or update begins the time to live again.
                    session.update("UPDATE threads SET expires_at = NULL WHERE thread_key = ?", thread.key());
                }
            }
        }
        return expired.size();
    }

    private record Expired(UUID key, ExpiryStrategy strategy) {
    }
}
