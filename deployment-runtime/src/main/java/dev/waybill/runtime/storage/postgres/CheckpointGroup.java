package dev.waybill.runtime.storage.postgres;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrite;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrites;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.RunFence;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Stores the checkpoints and writes of several runs with one statement for each table. */
final class CheckpointGroup {

    /** Locks the runs that hold their fences: a claim, the end or the deletion of a run waits for the commit. */
    private static final String LOCK_FENCES = """
            SELECT r.run_id, r.attempt
              FROM runtime.runs r
              JOIN unnest($3::uuid[], $4::uuid[], $5::int[]) f (thread_key, run_id, attempt)
                ON (r.tenant_id, r.deployment_id, r.run_id, r.thread_key, r.attempt)
                   = ($1, $2, f.run_id, f.thread_key, f.attempt)
             WHERE r.status = 'running'
             ORDER BY r.run_id FOR SHARE OF r
            """;
    private static final String INSERT_CHECKPOINTS = """
            INSERT INTO runtime.checkpoints (tenant_id, deployment_id, thread_key, run_id, namespace, checkpoint_id, parent_id,
                                             type, body, metadata, versions)
            SELECT $1, $2, c.thread_key, c.run_id, c.namespace, c.checkpoint_id, c.parent_id, c.type, c.body, c.metadata,
                   c.versions::jsonb
              FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::uuid[], $8::text[], $9::bytea[], $10::text[],
                          $11::text[])
                   c (thread_key, run_id, namespace, checkpoint_id, parent_id, type, body, metadata, versions)
                ON CONFLICT (tenant_id, deployment_id, thread_key, namespace, checkpoint_id) DO UPDATE
               SET parent_id = excluded.parent_id, type = excluded.type, body = excluded.body, metadata = excluded.metadata,
                   versions = excluded.versions
             WHERE checkpoints.run_id = excluded.run_id
            """;
    private static final String INSERT_BLOBS = """
            INSERT INTO runtime.blobs (tenant_id, deployment_id, thread_key, run_id, namespace, channel, version, type, size,
                                       value)
            SELECT $1, $2, b.* FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[],
                                           $10::bytea[]) b
                ON CONFLICT (tenant_id, deployment_id, thread_key, namespace, channel, version) DO NOTHING
            """;
    /** In the order of the group, because the sequence tells the newest write of an index. */
    private static final String INSERT_WRITES = """
            INSERT INTO runtime.writes (tenant_id, deployment_id, thread_key, run_id, namespace, checkpoint_id, task_id,
                                        position, task_path, channel, type, size, value)
            SELECT $1, $2, w.thread_key, w.run_id, w.namespace, w.checkpoint_id, w.task_id, w.position, w.task_path, w.channel,
                   w.type, w.size, w.value
              FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::int[], $9::text[], $10::text[],
                          $11::text[], $12::int[], $13::bytea[]) WITH ORDINALITY
                   w (thread_key, run_id, namespace, checkpoint_id, task_id, position, task_path, channel, type, size, value,
                      number)
             ORDER BY w.number
                ON CONFLICT (tenant_id, deployment_id, thread_key, namespace, checkpoint_id, task_id, position, run_id)
                DO UPDATE SET sequence = excluded.sequence, task_path = excluded.task_path, channel = excluded.channel,
                              type = excluded.type, size = excluded.size, value = excluded.value
             WHERE writes.position < 0
            """;

    private final DeploymentSql sql;
    private final SqlConnection connection;

    private CheckpointGroup(DeploymentSql sql, SqlConnection connection) {
        this.sql = sql;
        this.connection = connection;
    }

    /** Stores the writes of the runs that hold their fences; returns these fences. */
    static Uni<Set<RunFence>> store(DeploymentSql sql, SqlConnection connection, List<Write> writes) {
        CheckpointGroup group = new CheckpointGroup(sql, connection);
        return group.lock(writes.stream().map(Write::fence).collect(Collectors.toSet()))
                .call(held -> group.insert(writes.stream().filter(write -> held.contains(write.fence())).toList()));
    }

    private Uni<Set<RunFence>> lock(Set<RunFence> fences) {
        List<RunFence> ordered = List.copyOf(fences);
        return sql.execute(connection, LOCK_FENCES, ids(ordered, fence -> fence.thread().key()), ids(ordered, RunFence::run),
                ordered.stream().map(RunFence::attempt).toArray(Integer[]::new))
                .map(rows -> RowValues.list(rows, row -> new Held(row.getUUID(0), row.getInteger(1))))
                .map(held -> ordered.stream().filter(fence -> held.contains(new Held(fence.run(), fence.attempt())))
                        .collect(Collectors.toSet()));
    }

    private Uni<Void> insert(List<Write> writes) {
        List<CheckpointRow> checkpoints = new ArrayList<>();
        List<BlobRow> blobs = new ArrayList<>();
        List<WriteRow> rows = new ArrayList<>();
        for (Write write : writes) {
            switch (write) {
                case Write.OfCheckpoint put -> {
                    checkpoints.add(new CheckpointRow(put.fence(), put.checkpoint()));
                    put.checkpoint().blobs()
                            .forEach(blob -> blobs.add(new BlobRow(put.fence(), put.checkpoint().namespace(), blob)));
                }
                case Write.OfTask put -> put.writes().writes()
                        .forEach(value -> rows.add(new WriteRow(put.fence(), put.writes(), value)));
            }
        }
        // The statements are sent without waiting for each other.
        List<Uni<RowSet<Row>>> statements = new ArrayList<>();
        if (!checkpoints.isEmpty()) {
            statements.add(insertCheckpoints(distinct(checkpoints, CheckpointRow::key, row -> true)));
        }
        if (!blobs.isEmpty()) {
            statements.add(insertBlobs(blobs));
        }
        if (!rows.isEmpty()) {
            statements.add(insertWrites(distinct(rows, WriteRow::key, row -> row.write().index() < 0)));
        }
        return statements.isEmpty() ? Uni.createFrom().voidItem()
                : Uni.join().all(statements).andFailFast().replaceWithVoid();
    }

    /** Returns one row for each key, as a statement can change a row only once: the last one, or the first one. */
    private static <T> List<T> distinct(List<T> rows, Function<T, Object> key, Function<T, Boolean> lastCounts) {
        Map<Object, T> distinct = new LinkedHashMap<>();
        for (T row : rows) {
            if (lastCounts.apply(row)) {
                distinct.put(key.apply(row), row);
            } else {
                distinct.putIfAbsent(key.apply(row), row);
            }
        }
        return List.copyOf(distinct.values());
    }

    private Uni<RowSet<Row>> insertCheckpoints(List<CheckpointRow> rows) {
        return sql.execute(connection, INSERT_CHECKPOINTS, ids(rows, row -> row.fence().thread().key()),
                ids(rows, row -> row.fence().run()), texts(rows, row -> row.checkpoint().namespace()),
                ids(rows, row -> row.checkpoint().id()),
                rows.stream().map(row -> row.checkpoint().parent()).toArray(UUID[]::new),
                texts(rows, row -> row.checkpoint().body().type()),
                rows.stream().map(row -> RowValues.buffer(row.checkpoint().body().bytes())).toArray(Buffer[]::new),
                texts(rows, row -> row.checkpoint().metadata()),
                texts(rows, row -> JsonText.ofTexts(row.checkpoint().versions())));
    }

    private Uni<RowSet<Row>> insertBlobs(List<BlobRow> rows) {
        return sql.execute(connection, INSERT_BLOBS, ids(rows, row -> row.fence().thread().key()),
                ids(rows, row -> row.fence().run()), texts(rows, BlobRow::namespace), texts(rows, row -> row.blob().channel()),
                texts(rows, row -> row.blob().version()), texts(rows, row -> row.blob().value().type()),
                rows.stream().map(row -> row.blob().value().size()).toArray(Integer[]::new),
                rows.stream().map(row -> RowValues.buffer(row.blob().value().bytes())).toArray(Buffer[]::new));
    }

    private Uni<RowSet<Row>> insertWrites(List<WriteRow> rows) {
        return sql.execute(connection, INSERT_WRITES, ids(rows, row -> row.fence().thread().key()),
                ids(rows, row -> row.fence().run()), texts(rows, row -> row.task().namespace()),
                ids(rows, row -> row.task().checkpoint()), texts(rows, row -> row.task().task()),
                rows.stream().map(row -> row.write().index()).toArray(Integer[]::new), texts(rows, row -> row.task().path()),
                texts(rows, row -> row.write().channel()), texts(rows, row -> row.write().value().type()),
                rows.stream().map(row -> row.write().value().size()).toArray(Integer[]::new),
                rows.stream().map(row -> RowValues.buffer(row.write().value().bytes())).toArray(Buffer[]::new));
    }

    private static <T> UUID[] ids(Collection<T> rows, Function<T, UUID> column) {
        return rows.stream().map(column).toArray(UUID[]::new);
    }

    private static <T> String[] texts(Collection<T> rows, Function<T, String> column) {
        return rows.stream().map(column).toArray(String[]::new);
    }

    /** A write of a run. */
    sealed interface Write {

        RunFence fence();

        /** Returns the size of the values that the write holds in memory. */
        long bytes();

        /** A checkpoint with its new versions. */
        record OfCheckpoint(RunFence fence, NewCheckpoint checkpoint) implements Write {

            @Override
            public long bytes() {
                return checkpoint.body().size() + checkpoint.blobs().stream().mapToLong(blob -> blob.value().size()).sum();
            }
        }

        /** Writes of a task. */
        record OfTask(RunFence fence, NewWrites writes) implements Write {

            @Override
            public long bytes() {
                return writes.writes().stream().mapToLong(write -> write.value().size()).sum();
            }
        }
    }

    private record Held(UUID run, int attempt) {
    }

    private record CheckpointRow(RunFence fence, NewCheckpoint checkpoint) {

        Object key() {
            return List.of(fence.thread().key(), checkpoint.namespace(), checkpoint.id());
        }
    }

    private record BlobRow(RunFence fence, String namespace, NewBlob blob) {
    }

    private record WriteRow(RunFence fence, NewWrites task, NewWrite write) {

        Object key() {
            return List.of(fence.thread().key(), task.namespace(), task.checkpoint(), task.task(), write.index(), fence.run());
        }
    }
}
