package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.EventChunk;
import dev.waybill.runtime.storage.RunStorage.EventChunks;
import dev.waybill.runtime.storage.RunStorage.Status;

/** Statements on events of resumable runs. */
final class RunEvents {

    private static final int MAX_CHUNKS = 16;

    private RunEvents() {
    }

    /** Stores chunks; one with the same first number replaces the earlier one. */
    static void append(SqliteSession session, RunFence fence, List<EventChunk> chunks) throws SQLException {
        for (EventChunk chunk : chunks) {
            session.update("""
                    INSERT INTO run_events (thread_key, run_id, first_number, last_number, chunk) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (run_id, first_number) DO UPDATE
                       SET last_number = excluded.last_number, chunk = excluded.chunk, thread_key = excluded.thread_key
                    """, fence.thread().key(), fence.run(), chunk.first(), chunk.last(), chunk.events());
        }
    }

    /** Returns the chunks with events after a number. */
    static Optional<EventChunks> read(SqliteSession session, Owner owner, UUID run, long after) throws SQLException {
        Optional<Status> status = session.first("""
                SELECT r.status FROM runs r JOIN threads t ON t.thread_key = r.thread_key WHERE r.run_id = ? AND t.owner = ?
                """, row -> row.constant(Status.class, "status"), run, owner.name());
        if (status.isEmpty()) {
            return Optional.empty();
        }
        List<EventChunk> chunks = session.list("""
                SELECT first_number, last_number, chunk FROM run_events e WHERE run_id = ? AND last_number > ?
                   AND thread_key = (SELECT r.thread_key FROM runs r WHERE r.run_id = e.run_id)
                 ORDER BY first_number LIMIT ?
                """, row -> new EventChunk(row.number("first_number"), row.number("last_number"), row.bytes("chunk")), run,
                after, MAX_CHUNKS + 1);
        boolean more = chunks.size() > MAX_CHUNKS;
        return Optional.of(new EventChunks(more ? new ArrayList<>(chunks.subList(0, MAX_CHUNKS)) : chunks,
                !more && status.get().isFinal()));
    }
}
