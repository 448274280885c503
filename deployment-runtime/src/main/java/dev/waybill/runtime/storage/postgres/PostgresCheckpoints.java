package dev.waybill.runtime.storage.postgres;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CheckpointStorage;
import dev.waybill.runtime.storage.FenceLostException;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.ThreadKey;
import dev.waybill.runtime.storage.postgres.CheckpointGroup.Write;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/** Checkpoints in PostgreSQL. Reads are one statement, so they return one state of the thread, whatever is deleted. */
final class PostgresCheckpoints implements CheckpointStorage {

    private static final String INLINE = "CASE WHEN %1$s.size <= " + INLINE_BYTES + " THEN %1$s.value END AS value";
    /**
     * Checkpoints of {@code found} (part 1), and of those in {@code page} the writes of tasks (part 2) and the versions of
     * channels (part 3), each once. Several runs may have written one index: the newest of a negative one counts (an answer to
     * an interrupt), the oldest of another one (a task that was executed twice).
     */
    private static final String PARTS = """
            SELECT * FROM (
                SELECT 1 AS part, f.namespace, f.checkpoint_id, f.parent_id, f.run_id, f.type, f.metadata,
                       f.versions::text AS versions, NULL::text AS task_id, NULL::text AS task_path, NULL::int AS position,
                       NULL::text AS channel, NULL::text AS version, octet_length(f.body) AS size, f.body AS value
                  FROM found f
                 UNION ALL
                SELECT 2, w.namespace, w.checkpoint_id, NULL, w.run_id, w.type, NULL, NULL, w.task_id, w.task_path, w.position,
                       w.channel, NULL, w.size, %s
                  FROM page p
                 CROSS JOIN LATERAL (
                       SELECT DISTINCT ON (w.task_id, w.position) w.* FROM runtime.writes w
                        WHERE (w.tenant_id, w.deployment_id, w.thread_key, w.namespace, w.checkpoint_id)
                              = ($1, $2, p.thread_key, p.namespace, p.checkpoint_id)
                        ORDER BY w.task_id, w.position, CASE WHEN w.position < 0 THEN -w.sequence ELSE w.sequence END) w
                 UNION ALL
                SELECT 3, b.namespace, NULL, NULL, NULL, b.type, NULL, NULL, NULL, NULL, NULL, b.channel, b.version, b.size, %s
                  FROM (SELECT DISTINCT p.thread_key, p.namespace, v.key, v.value
                          FROM page p CROSS JOIN LATERAL jsonb_each_text(p.versions) v) v
                  JOIN runtime.blobs b
                    ON (b.tenant_id, b.deployment_id, b.thread_key, b.namespace, b.channel, b.version)
                       = ($1, $2, v.thread_key, v.namespace, v.key, v.value)) parts
             ORDER BY part, checkpoint_id DESC, namespace, task_id, position
            """.formatted(INLINE.formatted("w"), INLINE.formatted("b"));
    private static final String NEWEST_FIRST = " ORDER BY checkpoint_id DESC, namespace LIMIT ?";
    private static final String RANGE = """
            SELECT substring(v.value FROM $5::int + 1 FOR $6::int) AS range
              FROM runtime.%s v
              JOIN runtime.threads t ON (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, v.thread_key)
             WHERE (v.tenant_id, v.deployment_id, v.thread_key, t.owner, v.namespace) = ($1, $2, $3, $4, $7)
            """;
    private static final String RANGE_OF_BLOB = RANGE.formatted("blobs") + "AND v.channel = $8 AND v.version = $9";
    private static final String RANGE_OF_WRITE = RANGE.formatted("writes")
            + "AND v.checkpoint_id = $8 AND v.task_id = $9 AND v.position = $10 AND v.run_id = $11";

    private final DeploymentSql sql;
    private final List<GroupWriter> writers;

    /** Creates the storage; the writes of a thread always have the same writer, which keeps their order. */
    PostgresCheckpoints(DeploymentSql sql, List<GroupWriter> writers) {
        this.sql = sql;
        this.writers = writers;
    }

    @Override
    public Uni<Void> store(RunFence fence, List<Change> changes) {
        return writer(fence).add(new Write(fence, changes));
    }

    /** Completes the accepted writes. */
    Uni<Void> close() {
        return Uni.join().all(writers.stream().map(GroupWriter::close).toList()).andCollectFailures().replaceWithVoid();
    }

    private GroupWriter writer(RunFence fence) {
        return writers.get(Math.floorMod(fence.thread().key().hashCode(), writers.size()));
    }

    @Override
    public Uni<Optional<StoredCheckpoint>> get(ThreadKey thread, String namespace, @Nullable UUID id) {
        return list(thread, new CheckpointFilter(namespace, id, null, null, 1))
                .map(page -> page.checkpoints().stream().findFirst().map(found -> with(found, page.blobs())));
    }

    private static StoredCheckpoint with(StoredCheckpoint row, List<StoredBlob> blobs) {
        return new StoredCheckpoint(row.namespace(), row.id(), row.parent(), row.run(), row.type(), row.body(), row.metadata(),
                row.versions(), blobs, row.writes());
    }

    @Override
    public Uni<CheckpointPage> list(ThreadKey thread, CheckpointFilter filter) {
        Conditions query = new Conditions().add("""
                WITH found AS (
                    SELECT c.* FROM runtime.checkpoints c
                      JOIN runtime.threads t ON (t.tenant_id, t.deployment_id, t.thread_key) = ($1, $2, c.thread_key)
                     WHERE (c.tenant_id, c.deployment_id, c.thread_key, t.owner) = ($1, $2, ?, ?)
                """, thread.key(), thread.owner().name())
                .addIfPresent(" AND c.namespace = ?", filter.namespace())
                .addIfPresent(" AND c.checkpoint_id = ?", filter.id())
                .addIfPresent(" AND c.checkpoint_id < ?", filter.before())
                .addContains("c.metadata", filter.metadata())
                .add(NEWEST_FIRST, filter.limit() + 1)
                .add("), page AS (SELECT * FROM found" + NEWEST_FIRST + ")", filter.limit());
        return sql.execute(query.add(PARTS).sql(""), query.parameters())
                .map(rows -> page(rows, filter.limit()));
    }

    private static CheckpointPage page(RowSet<Row> rows, int limit) {
        List<StoredCheckpoint> found = new ArrayList<>();
        Map<List<Object>, List<StoredWrite>> writes = new HashMap<>();
        List<StoredBlob> blobs = new ArrayList<>();
        for (Row row : rows) {
            String namespace = row.getString("namespace");
            switch (row.getInteger("part")) {
                case 1 -> found.add(checkpoint(row, writes.computeIfAbsent(List.of(namespace, row.getUUID("checkpoint_id")),
                        key -> new ArrayList<>())));
                case 2 -> writes.computeIfAbsent(List.of(namespace, row.getUUID("checkpoint_id")), key -> new ArrayList<>())
                        .add(write(row));
                default -> blobs.add(blob(row));
            }
        }
        boolean more = found.size() > limit;
        List<StoredCheckpoint> page = more ? found.subList(0, limit) : found;
        return new CheckpointPage(List.copyOf(page), blobs, more ? page.getLast().id() : null);
    }

    private static StoredCheckpoint checkpoint(Row row, List<StoredWrite> writes) {
        return new StoredCheckpoint(row.getString("namespace"), row.getUUID("checkpoint_id"), row.getUUID("parent_id"),
                row.getUUID("run_id"), row.getString("type"), RowValues.bytes(row, "value"), row.getString("metadata"),
                JsonText.texts(row.getString("versions")), List.of(), writes);
    }

    private static StoredWrite write(Row row) {
        ValueKey key = new ValueKey.OfWrite(row.getString("namespace"), row.getUUID("checkpoint_id"), row.getString("task_id"),
                row.getInteger("position"), row.getUUID("run_id"));
        return new StoredWrite(row.getString("task_id"), row.getString("task_path"), row.getInteger("position"),
                row.getString("channel"), value(row, key));
    }

    private static StoredBlob blob(Row row) {
        ValueKey key = new ValueKey.OfBlob(row.getString("namespace"), row.getString("channel"), row.getString("version"));
        return new StoredBlob(row.getString("channel"), row.getString("version"), value(row, key));
    }

    private static StoredValue value(Row row, ValueKey key) {
        return new StoredValue(key, row.getString("type"), row.getInteger("size"), RowValues.bytesOrNull(row, "value"));
    }

    @Override
    public Uni<Optional<byte[]>> read(ThreadKey thread, ValueKey value, int offset, int length) {
        String owner = thread.owner().name();
        return (switch (value) {
            case ValueKey.OfBlob blob -> sql.execute(RANGE_OF_BLOB, thread.key(), owner, offset, length, blob.namespace(),
                    blob.channel(), blob.version());
            case ValueKey.OfWrite write -> sql.execute(RANGE_OF_WRITE, thread.key(), owner, offset, length, write.namespace(),
                    write.checkpoint(), write.task(), write.index(), write.run());
        }).map(rows -> RowValues.first(rows, PostgresCheckpoints::range));
    }

    private static byte[] range(Row row) {
        byte[] range = RowValues.bytesOrNull(row, "range");
        return range == null ? new byte[0] : range;
    }

    @Override
    public Uni<Void> deleteOfThread(RunFence fence) {
        return sql.execute("""
                WITH fence AS (
                    SELECT thread_key FROM runtime.runs
                     WHERE (tenant_id, deployment_id, thread_key, run_id, attempt, created_at) = ($1, $2, $3, $4, $5, $6)
                       AND status = 'running' FOR SHARE),
                checkpoints AS (
                    DELETE FROM runtime.checkpoints c USING fence f
                     WHERE (c.tenant_id, c.deployment_id, c.thread_key) = ($1, $2, f.thread_key)),
                blobs AS (
                    DELETE FROM runtime.blobs b USING fence f
                     WHERE (b.tenant_id, b.deployment_id, b.thread_key) = ($1, $2, f.thread_key)),
                writes AS (
                    DELETE FROM runtime.writes w USING fence f
                     WHERE (w.tenant_id, w.deployment_id, w.thread_key) = ($1, $2, f.thread_key))
                SELECT 1 FROM fence
                """, fence.thread().key(), fence.run(), fence.attempt(), RowValues.time(fence.createdAt()))
                .invoke(rows -> {
                    if (rows.rowCount() == 0) {
                        throw new FenceLostException(fence);
                    }
                })
                .replaceWithVoid();
    }

    @Override
    public Uni<Integer> prune(ThreadKey thread, int keep) {
        return CheckpointPruning.prune(sql, thread, keep);
    }
}
