package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Deletes threads: their visible rows immediately, the other rows in batches. */
final class DeletedThreads {

    private static final List<String> TABLES = List.of("thread_values", "checkpoints", "blobs", "writes",
            "chunks", "run_events");

    /** Pages that a sweep returns to the file system. */
    private static final int FREED_PAGES = 2_000;

    private DeletedThreads() {
    }

    /** Deletes what makes a thread visible and its runs writable. */
    static void delete(SqliteSession session, UUID key) throws SQLException {
        session.update("DELETE FROM runs WHERE thread_key = ?", key);
        session.update("DELETE FROM threads WHERE thread_key = ?", key);
        session.update("INSERT INTO deleted_threads (thread_key) VALUES (?)", key);
    }

    /** Deletes at most so many rows, and frees pages of the file; returns the number of deleted rows. */
    static int sweep(SqliteSession session, int limit) throws SQLException {
        int deleted = 0;
        while (deleted < limit) {
            Optional<UUID> key = session.first("SELECT thread_key FROM deleted_threads LIMIT 1", row -> row.id("thread_key"));
            if (key.isEmpty()) {
                break;
            }
            int rows = deleteRows(session, key.get(), limit - deleted);
            deleted += rows;
            if (rows == 0) {
                deleted += session.update("DELETE FROM deleted_threads WHERE thread_key = ?", key.get());
            }
        }
        session.execute("PRAGMA incremental_vacuum(" + FREED_PAGES + ")");
        return deleted;
    }

    private static int deleteRows(SqliteSession session, UUID key, int limit) throws SQLException {
        int deleted = 0;
        for (String table : TABLES) {
            deleted += session.update("DELETE FROM " + table + " WHERE rowid IN (SELECT rowid FROM " + table
                    + " WHERE thread_key = ? LIMIT ?)", key, limit - deleted);
        }
        return deleted;
    }
}
