package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CheckpointStorage;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.ThreadKey;
import dev.waybill.runtime.storage.sqlite.SqliteSession.SqliteChange;
import dev.waybill.runtime.storage.sqlite.SqliteValues.Columns;
import io.smallrye.mutiny.Uni;

/** Checkpoints in the file. */
final class SqliteCheckpoints implements CheckpointStorage {

    private final SqliteFile file;

    SqliteCheckpoints(SqliteFile file) {
        this.file = file;
    }

    @Override
    public Uni<Void> store(RunFence fence, List<Change> changes) {
        return fenced(fence, changes.stream().mapToLong(Change::bytes).sum(), session -> {
            for (Change change : changes) {
                insert(session, fence, change);
            }
        });
    }

    /** Stores a change of a run whose fence the caller has checked in the same transaction. */
    static void insert(SqliteSession session, RunFence fence, Change change) throws SQLException {
        switch (change) {
            case NewCheckpoint checkpoint -> {
                insert(session, fence, checkpoint);
                for (NewBlob blob : checkpoint.blobs()) {
                    insert(session, fence, checkpoint.namespace(), blob);
                }
            }
            case NewWrites writes -> {
                for (NewWrite write : writes.writes()) {
                    insert(session, fence, writes, write);
                }
            }
        }
    }

    private static void insert(SqliteSession session, RunFence fence, NewCheckpoint checkpoint) throws SQLException {
        session.update(
                """
                        INSERT INTO checkpoints (thread_key, namespace, checkpoint_id, parent_id, run_id, type, body, metadata, versions)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT (thread_key, namespace, checkpoint_id) DO UPDATE
                           SET parent_id = excluded.parent_id, type = excluded.type, body = excluded.body,
                               metadata = excluded.metadata, versions = excluded.versions
                         WHERE run_id = excluded.run_id
                        """,
                fence.thread().key(), checkpoint.namespace(), checkpoint.id(), checkpoint.parent(), fence.run(),
                checkpoint.body().type(), checkpoint.body().bytes(), checkpoint.metadata(),
                JsonText.ofTexts(checkpoint.versions()));
    }

    private static void insert(SqliteSession session, RunFence fence, String namespace, NewBlob blob) throws SQLException {
        Columns columns = Columns.of(blob.value());
        int inserted = session.update("""
                INSERT INTO blobs (thread_key, namespace, channel, version, run_id, type, size, value_id, value)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (thread_key, namespace, channel, version) DO NOTHING
                """, fence.thread().key(), namespace, blob.channel(), blob.version(), fence.run(), blob.value().type(),
                blob.value().size(), columns.id(), columns.value());
        if (inserted > 0) {
            SqliteValues.insertChunks(session, fence.thread().key(), columns, blob.value());
        }
    }

    private static void insert(SqliteSession session, RunFence fence, NewWrites writes, NewWrite write) throws SQLException {
        UUID thread = fence.thread().key();
        if (write.index() < 0) {
            SqliteValues.deleteChunks(session, thread, session.list("""
                    DELETE FROM writes WHERE thread_key = ? AND namespace = ? AND checkpoint_id = ? AND task_id = ?
                       AND position = ? AND run_id = ? RETURNING value_id
                    """, row -> Optional.ofNullable(row.idOrNull("value_id")), thread, writes.namespace(),
                    writes.checkpoint(), writes.task(), write.index(), fence.run()));
        }
        Columns columns = Columns.of(write.value());
        int inserted = session.update("""
                INSERT INTO writes (thread_key, namespace, checkpoint_id, task_id, position, run_id, task_path, channel, type,
                                    size, value_id, value)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (thread_key, namespace, checkpoint_id, task_id, position, run_id) DO NOTHING
                """, thread, writes.namespace(), writes.checkpoint(), writes.task(), write.index(), fence.run(), writes.path(),
                write.channel(), write.value().type(), write.value().size(), columns.id(), columns.value());
        if (inserted > 0) {
            SqliteValues.insertChunks(session, thread, columns, write.value());
        }
    }

    @Override
    public Uni<Optional<StoredCheckpoint>> get(ThreadKey thread, String namespace, @Nullable UUID id) {
        CheckpointFilter filter = new CheckpointFilter(namespace, id, null, null, 1);
        return file.read(session -> {
            List<StoredCheckpoint> found = CheckpointRows.list(session, thread, filter, 1);
            return found.isEmpty() ? Optional.empty()
                    : Optional.of(CheckpointRows.with(found.getFirst(), CheckpointRows.blobs(session, thread, found)));
        });
    }

    @Override
    public Uni<CheckpointPage> list(ThreadKey thread, CheckpointFilter filter) {
        return file.read(session -> {
            List<StoredCheckpoint> found = CheckpointRows.list(session, thread, filter, filter.limit() + 1);
            boolean more = found.size() > filter.limit();
            List<StoredCheckpoint> page = more ? found.subList(0, filter.limit()) : found;
            return new CheckpointPage(List.copyOf(page), CheckpointRows.blobs(session, thread, page),
                    more ? page.getLast().id() : null);
        });
    }

    @Override
    public Uni<Optional<byte[]>> read(ThreadKey thread, ValueKey value, int offset, int length) {
        return file.read(session -> CheckpointRows.belongsToOwner(session, thread)
                ? SqliteValues.read(session, thread.key(), value, offset, length)
                : Optional.empty());
    }

    @Override
    public Uni<Void> deleteOfThread(RunFence fence) {
        return fenced(fence, 0, session -> {
            for (String table : CheckpointRows.TABLES) {
                session.update("DELETE FROM " + table + " WHERE thread_key = ?", fence.thread().key());
            }
        });
    }

    @Override
    public Uni<Integer> prune(ThreadKey thread, int keep) {
        return file.write(0, session -> CheckpointPruning.prune(session, thread, keep));
    }

    private Uni<Void> fenced(RunFence fence, long bytes, SqliteChange change) {
        return file.change(bytes, session -> {
            RunRows.requireFence(session, fence);
            change.execute(session);
        });
    }
}
