package dev.waybill.runtime.storage.sqlite;

import java.io.ByteArrayOutputStream;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CheckpointStorage;
import dev.waybill.runtime.storage.CheckpointStorage.NewValue;
import dev.waybill.runtime.storage.CheckpointStorage.StoredValue;
import dev.waybill.runtime.storage.CheckpointStorage.ValueKey;

/**
 * Values of blobs and writes. A small value is a column of its row; a large one is split into chunks, because SQLite reads a
 * column as a whole.
 */
final class SqliteValues {

    /** Size of a chunk, and the largest value without chunks. */
    static final int CHUNK_BYTES = 1 << 20;

    private SqliteValues() {
    }

    /** Columns of a value in its row. */
    record Columns(@Nullable UUID id, byte @Nullable [] value) {

        /** Returns the columns of a new value. */
        static Columns of(NewValue value) {
            return value.size() > CHUNK_BYTES ? new Columns(UUID.randomUUID(), null) : new Columns(null, value.bytes());
        }
    }

    /** Inserts the chunks of a value whose row was inserted. */
    static void insertChunks(SqliteSession session, UUID thread, Columns columns, NewValue value) throws SQLException {
        byte[] bytes = value.bytes();
        if (columns.id() == null || bytes == null) {
            return;
        }
        for (int part = 0; part * CHUNK_BYTES < bytes.length; part++) {
            session.update("INSERT INTO chunks (thread_key, value_id, part, value) VALUES (?, ?, ?, ?)", thread, columns.id(),
                    part, Arrays.copyOfRange(bytes, part * CHUNK_BYTES, Math.min((part + 1) * CHUNK_BYTES, bytes.length)));
        }
    }

    /** Deletes the chunks of deleted rows; null stands for a row without chunks. */
    static void deleteChunks(SqliteSession session, UUID thread, List<Optional<UUID>> values) throws SQLException {
        for (Optional<UUID> value : values) {
            if (value.isPresent()) {
                session.update("DELETE FROM chunks WHERE thread_key = ? AND value_id = ?", thread, value.get());
            }
        }
    }

    /** Maps the columns type, size and inline_value of a row. */
    static StoredValue stored(SqliteRow row, ValueKey key) throws SQLException {
        return new StoredValue(key, row.text("type"), (int) row.number("size"), row.bytesOrNull("inline_value"));
    }

    /** SQL of the column inline_value: null for values that are read in ranges. */
    static String inline(String table) {
        return "CASE WHEN " + table + ".size <= " + CheckpointStorage.INLINE_BYTES + " THEN " + table
                + ".value END AS inline_value";
    }

    /** Returns a range of a value. */
    static Optional<byte[]> read(SqliteSession session, UUID thread, ValueKey key, int offset, int length) throws SQLException {
        Optional<Columns> found = switch (key) {
            case ValueKey.OfBlob blob -> session.first("""
                    SELECT value_id, substr(value, ?, ?) AS range FROM blobs
                     WHERE thread_key = ? AND namespace = ? AND channel = ? AND version = ?
                    """, SqliteValues::columns, offset + 1, length, thread, blob.namespace(), blob.channel(), blob.version());
            case ValueKey.OfWrite write -> session.first(
                    """
                            SELECT value_id, substr(value, ?, ?) AS range FROM writes
                             WHERE thread_key = ? AND namespace = ? AND checkpoint_id = ? AND task_id = ? AND position = ? AND run_id = ?
                            """,
                    SqliteValues::columns, offset + 1, length, thread, write.namespace(), write.checkpoint(), write.task(),
                    write.index(), write.run());
        };
        if (found.isEmpty()) {
            return Optional.empty();
        }
        UUID id = found.get().id();
        byte[] range = found.get().value();
        return Optional.of(id != null ? readChunks(session, thread, id, offset, length) : range == null ? new byte[0] : range);
    }

    private static Columns columns(SqliteRow row) throws SQLException {
        return new Columns(row.idOrNull("value_id"), row.bytesOrNull("range"));
    }

    private static byte[] readChunks(SqliteSession session, UUID thread, UUID value, int offset, int length)
            throws SQLException {
        List<byte[]> chunks = session.list("""
                SELECT value FROM chunks WHERE thread_key = ? AND value_id = ? AND part BETWEEN ? AND ? ORDER BY part
                """, row -> row.bytes("value"), thread, value, offset / CHUNK_BYTES, (offset + length - 1) / CHUNK_BYTES);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(chunks.size() * CHUNK_BYTES);
        chunks.forEach(bytes::writeBytes);
        byte[] all = bytes.toByteArray();
        int from = Math.min(offset % CHUNK_BYTES, all.length);
        return Arrays.copyOfRange(all, from, Math.min(from + length, all.length));
    }
}
