package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.Kind;
import dev.waybill.runtime.storage.RunStorage.MultitaskStrategy;
import dev.waybill.runtime.storage.RunStorage.StartedRun;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.RunStorage.ThreadHead;
import dev.waybill.runtime.storage.ThreadKey;

/** Statements on rows of runs that several operations share. */
final class RunRows {

    /** Selects runs, as {@code r}, with their threads, as {@code t}. */
    static final String SELECT = """
            SELECT r.*, t.thread_id, t.owner FROM runs r JOIN threads t ON t.thread_key = r.thread_key
            """;
    /** Selects runs without their requests, of which each may have megabytes. */
    static final String SELECT_LISTED = """
            SELECT r.run_id, r.thread_key, r.kind, r.assistant_id, r.status, r.attempt, r.replica_id, r.multitask_strategy,
                   r.metadata, x'' AS request, r.run_at, r.cancel, r.error, r.created_at, r.started_at, r.updated_at,
                   t.thread_id, t.owner
              FROM runs r JOIN threads t ON t.thread_key = r.thread_key
            """;

    private RunRows() {
    }

    /** Fails unless the run is running in the attempt of the fence. */
    static void requireFence(SqliteSession session, RunFence fence) throws SQLException {
        if (!session.exists("""
                SELECT 1 FROM runs
                 WHERE run_id = ? AND thread_key = ? AND status = 'running' AND attempt = ? AND created_at = ?
                """, fence.run(), fence.thread().key(), fence.attempt(), fence.createdAt())) {
            throw new FenceLostException(fence);
        }
    }

    /** Maps a row of {@link #SELECT} or {@link #SELECT_LISTED}. */
    static StoredRun run(SqliteRow row) throws SQLException {
        ThreadKey thread = new ThreadKey(new Owner(row.text("owner")), row.id("thread_id"), row.id("thread_key"));
        return new StoredRun(thread, row.id("run_id"), row.constant(Kind.class, "kind"), row.id("assistant_id"),
                row.constant(Status.class, "status"), (int) row.number("attempt"), row.id("replica_id"),
                row.constant(MultitaskStrategy.class, "multitask_strategy"), row.text("metadata"), row.bytes("request"),
                row.timeOrNull("run_at"), row.constantOrNull(CancelAction.class, "cancel"), row.textOrNull("error"),
                row.time("created_at"), row.timeOrNull("started_at"), row.time("updated_at"));
    }

    /** Gives a run to a replica as running, in a new attempt. */
    static StartedRun start(SqliteSession session, UUID run, UUID replica, Instant now) throws SQLException {
        session.update("""
                UPDATE runs SET status = 'running', attempt = attempt + 1, replica_id = ?, started_at = coalesce(started_at, ?),
                       updated_at = ?
                 WHERE run_id = ?
                """, replica, now, now, run);
        StoredRun started = session.first(SELECT + "WHERE r.run_id = ?", RunRows::run, run)
                .orElseThrow(() -> new SQLException("run " + run + " is missing"));
        boolean hasCheckpoint = started.attempt() > 1 && session.exists(
                "SELECT 1 FROM checkpoints WHERE thread_key = ? AND run_id = ?", started.thread().key(), run);
        return new StartedRun(RunFence.of(started), started, hasCheckpoint, head(session, started.thread().key()));
    }

    /** Returns what a run needs of its thread. */
    static ThreadHead head(SqliteSession session, UUID threadKey) throws SQLException {
        List<Map.Entry<String, String>> versions = session.list(
                "SELECT channel, version FROM thread_values WHERE thread_key = ?",
                row -> Map.entry(row.text("channel"), row.text("version")), threadKey);
        return session.first("SELECT metadata, config FROM threads WHERE thread_key = ?",
                row -> new ThreadHead(row.text("metadata"), row.text("config"),
                        versions.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))),
                threadKey)
                .orElseThrow(() -> new SQLException("the thread of a run is missing"));
    }

    /** Returns the first pending run of a thread that is due and that the replica may start, unless a run is running. */
    static Optional<UUID> nextOf(SqliteSession session, UUID threadKey, UUID replica, Instant now)
            throws SQLException {
        List<Candidate> due = session.list("""
                SELECT r.run_id, r.replica_id = ? OR NOT EXISTS (SELECT 1 FROM replicas p WHERE p.replica_id = r.replica_id
                       AND p.lease_until > ?) AS startable
                  FROM runs r
                 WHERE r.thread_key = ? AND r.status = 'pending' AND (r.run_at IS NULL OR r.run_at <= ?)
                   AND NOT EXISTS (SELECT 1 FROM runs a WHERE a.thread_key = r.thread_key AND a.status = 'running')
                 ORDER BY r.created_at, r.run_id LIMIT 1
                """, row -> new Candidate(row.id("run_id"), row.flag("startable")), replica, now, threadKey, now);
        return due.stream().filter(Candidate::startable).map(Candidate::run).findFirst();
    }

    /** Deletes a run and what it stored. */
    static void delete(SqliteSession session, UUID threadKey, UUID run) throws SQLException {
        CheckpointRows.deleteOfRun(session, threadKey, run);
        session.update("DELETE FROM run_events WHERE run_id = ?", run);
        session.update("DELETE FROM runs WHERE run_id = ? AND thread_key = ?", run, threadKey);
    }

    /** The first due run of a thread, and whether the asking replica may start it. */
    private record Candidate(UUID run, boolean startable) {
    }
}
