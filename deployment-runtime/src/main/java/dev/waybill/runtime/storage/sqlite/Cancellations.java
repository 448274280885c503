package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunStorage.CancelAction;
import dev.waybill.runtime.storage.RunStorage.RunSelection;
import dev.waybill.runtime.storage.RunStorage.Status;
import dev.waybill.runtime.storage.RunStorage.StoredRun;
import dev.waybill.runtime.storage.ThreadKey;

/** Statements that cancel runs: pending ones end at once, running ones are marked for their replica. */
final class Cancellations {

    private static final String ACTIVE = "r.status IN ('pending', 'running') ";

    private Cancellations() {
    }

    /** Cancels all active runs of a thread; returns the running ones. */
    static List<UUID> ofThread(SqliteSession session, ThreadKey thread, CancelAction action, Instant now) throws SQLException {
        List<StoredRun> active = session.list(RunRows.SELECT_LISTED + "WHERE " + ACTIVE + "AND r.thread_key = ?",
                RunRows::run, thread.key());
        List<UUID> running = new ArrayList<>();
        for (StoredRun run : active) {
            cancel(session, run, action, now);
            if (run.status() == Status.RUNNING) {
                running.add(run.id());
            }
        }
        return running;
    }

    /** Cancels the selected active runs of an owner; returns their number. */
    static int request(SqliteSession session, Owner owner, RunSelection selection, CancelAction action, Instant now)
            throws SQLException {
        List<StoredRun> active = session.list(RunRows.SELECT_LISTED + "WHERE " + ACTIVE + """
                AND r.kind = 'run' AND t.owner = ? AND (?2 IS NULL OR t.thread_id = ?2) AND (?3 IS NULL OR r.status = ?3)
                """, RunRows::run, owner.name(), selection.thread(), selection.status());
        int cancelled = 0;
        for (StoredRun run : active) {
            if (selection.runs().isEmpty() || selection.runs().contains(run.id())) {
                cancel(session, run, action, now);
                cancelled++;
            }
        }
        return cancelled;
    }

    private static void cancel(SqliteSession session, StoredRun run, CancelAction action, Instant now) throws SQLException {
        if (run.status() == Status.RUNNING) {
            // A rollback stays one, whatever follows it.
            session.update("""
                    UPDATE runs SET cancel = CASE WHEN cancel = 'rollback' THEN cancel ELSE ? END, updated_at = ?
                     WHERE run_id = ?
                    """, action, now, run.id());
        } else if (action == CancelAction.ROLLBACK) {
            RunRows.delete(session, run.thread().key(), run.id());
        } else {
            session.update("UPDATE runs SET status = 'interrupted', cancel = 'interrupt', updated_at = ? WHERE run_id = ?", now,
                    run.id());
        }
    }
}
