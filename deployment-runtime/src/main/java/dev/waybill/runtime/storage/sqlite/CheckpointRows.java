package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CheckpointStorage.CheckpointFilter;
import dev.waybill.runtime.storage.CheckpointStorage.StoredBlob;
import dev.waybill.runtime.storage.CheckpointStorage.StoredCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.StoredWrite;
import dev.waybill.runtime.storage.CheckpointStorage.ValueKey;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.ThreadKey;

/** Statements that read checkpoints, and the deletion of those of a run. */
final class CheckpointRows {

    /** Tables with the rows of checkpoints; each has a thread_key. */
    static final List<String> TABLES = List.of("checkpoints", "blobs", "writes", "chunks");

    private CheckpointRows() {
    }

    static boolean belongsToOwner(SqliteSession session, ThreadKey thread) throws SQLException {
        return session.exists("SELECT 1 FROM threads WHERE thread_key = ? AND owner = ?", thread.key(), thread.owner().name());
    }

    /** Returns checkpoints with their writes and without their blobs, newest first. */
    static List<StoredCheckpoint> list(SqliteSession session, ThreadKey thread, CheckpointFilter filter, int limit)
            throws SQLException {
        StringBuilder sql = new StringBuilder("""
                SELECT c.* FROM checkpoints c JOIN threads t ON t.thread_key = c.thread_key
                 WHERE c.thread_key = ? AND t.owner = ?""");
        List<@Nullable Object> parameters = new ArrayList<>(List.of(thread.key(), thread.owner().name()));
        add(sql, parameters, " AND c.namespace = ?", filter.namespace());
        add(sql, parameters, " AND c.checkpoint_id = ?", filter.id());
        add(sql, parameters, " AND c.checkpoint_id < ?", filter.before());
        if (filter.metadata() != null) {
            JsonContainment containment = new JsonContainment();
            sql.append(" AND ").append(containment.members("c.metadata", JsonText.parse(filter.metadata())));
            parameters.addAll(containment.parameters());
        }
        sql.append(" ORDER BY c.checkpoint_id DESC, c.namespace LIMIT ?");
        parameters.add(limit);
        List<StoredCheckpoint> rows = session.list(sql.toString(), CheckpointRows::checkpoint, parameters.toArray());
        List<StoredCheckpoint> checkpoints = new ArrayList<>();
        for (StoredCheckpoint row : rows) {
            checkpoints.add(new StoredCheckpoint(row.namespace(), row.id(), row.parent(), row.run(), row.type(), row.body(),
                    row.metadata(), row.versions(), List.of(), writes(session, thread, row)));
        }
        return checkpoints;
    }

    private static void add(StringBuilder sql, List<@Nullable Object> parameters, String condition, @Nullable Object value) {
        if (value != null) {
            sql.append(condition);
            parameters.add(value);
        }
    }

    private static StoredCheckpoint checkpoint(SqliteRow row) throws SQLException {
        return new StoredCheckpoint(row.text("namespace"), row.id("checkpoint_id"), row.idOrNull("parent_id"),
                row.id("run_id"), row.text("type"), row.bytes("body"), row.text("metadata"),
                JsonText.texts(row.text("versions")), List.of(), List.of());
    }

    /** Returns a checkpoint with the values of its channels. */
    static StoredCheckpoint with(StoredCheckpoint row, List<StoredBlob> blobs) {
        return new StoredCheckpoint(row.namespace(), row.id(), row.parent(), row.run(), row.type(), row.body(), row.metadata(),
                row.versions(), blobs, row.writes());
    }

    /**
     * Returns the writes of tasks. Several runs may have written one index: the newest of a negative one counts (an answer to
     * an interrupt), the oldest of another one (a task that was executed twice).
     */
    private static List<StoredWrite> writes(SqliteSession session, ThreadKey thread, StoredCheckpoint checkpoint)
            throws SQLException {
        return session.list("SELECT w.*, " + SqliteValues.inline("w") + """
                  FROM writes w
                 WHERE w.thread_key = ? AND w.namespace = ? AND w.checkpoint_id = ? AND w.sequence = (
                       SELECT CASE WHEN w.position < 0 THEN max(o.sequence) ELSE min(o.sequence) END FROM writes o
                        WHERE o.thread_key = w.thread_key AND o.namespace = w.namespace
                          AND o.checkpoint_id = w.checkpoint_id AND o.task_id = w.task_id AND o.position = w.position)
                 ORDER BY w.task_id, w.position
                """, row -> new StoredWrite(row.text("task_id"), row.text("task_path"), (int) row.number("position"),
                row.text("channel"), SqliteValues.stored(row, new ValueKey.OfWrite(checkpoint.namespace(), checkpoint.id(),
                        row.text("task_id"), (int) row.number("position"), row.id("run_id")))),
                thread.key(), checkpoint.namespace(), checkpoint.id());
    }

    /** Returns the values of the channels of checkpoints, each version once. */
    static List<StoredBlob> blobs(SqliteSession session, ThreadKey thread, List<StoredCheckpoint> checkpoints)
            throws SQLException {
        List<StoredBlob> blobs = new ArrayList<>();
        Set<ValueKey> added = new HashSet<>();
        for (StoredCheckpoint checkpoint : checkpoints) {
            for (Map.Entry<String, String> version : checkpoint.versions().entrySet()) {
                ValueKey.OfBlob key = new ValueKey.OfBlob(checkpoint.namespace(), version.getKey(), version.getValue());
                if (added.add(key)) {
                    session.first("SELECT b.type, b.size, " + SqliteValues.inline("b") + """
                              FROM blobs b
                             WHERE b.thread_key = ? AND b.namespace = ? AND b.channel = ? AND b.version = ?
                            """, row -> SqliteValues.stored(row, key), thread.key(), key.namespace(), key.channel(),
                            key.version()).ifPresent(value -> blobs.add(new StoredBlob(key.channel(), key.version(), value)));
                }
            }
        }
        return blobs;
    }

    /** Deletes checkpoints and writes of a run, and its versions that no other checkpoint has. */
    static void deleteOfRun(SqliteSession session, UUID thread, UUID run) throws SQLException {
        session.update("DELETE FROM checkpoints WHERE thread_key = ? AND run_id = ?", thread, run);
        CheckpointPruning.deleteWrites(session, thread, "run_id = ?", run);
        CheckpointPruning.deleteUnreferencedBlobs(session, thread, "run_id = ?", run);
    }
}
