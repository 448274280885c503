package dev.waybill.runtime.storage.postgres;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CheckpointStorage.Change;
import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrite;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrites;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.RunFence;
import dev.waybill.runtime.storage.postgres.DeploymentSql.Statement;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;

/** Stores the checkpoints and writes of several runs with one statement. */
final class CheckpointGroup {

    /**
     * Locks the runs that hold their fences (a claim, the end or the deletion of a run waits for the commit) and stores the
     * changes of these runs; returns their fences. Changes refer to a fence by its number. Writes are stored in the order of
     * the group, because the sequence tells the newest write of an index. The conditions of the run make PostgreSQL find it by
     * its key: it would rather read the index of active runs, which has entries of ended runs, during a backup of all.
     */
    private static final String STORE = """
            WITH fence AS MATERIALIZED (
                SELECT r.thread_key, r.run_id, r.attempt, f.number
                  FROM runtime.runs r
                  JOIN unnest($3::uuid[], $4::uuid[], $5::int[], $29::timestamptz[]) WITH ORDINALITY
                       f (thread_key, run_id, attempt, created_at, number)
                    ON (r.tenant_id, r.deployment_id, r.run_id, r.thread_key, r.attempt, r.created_at)
                       = ($1, $2, f.run_id, f.thread_key, f.attempt, f.created_at)
                 WHERE r.run_id = ANY($4) AND r.status || '' = 'running'
                 ORDER BY r.run_id FOR SHARE OF r),
            checkpoint AS (
                INSERT INTO runtime.checkpoints (tenant_id, deployment_id, thread_key, run_id, namespace, checkpoint_id,
                                                 parent_id, type, body, metadata, versions)
                SELECT $1, $2, f.thread_key, f.run_id, c.namespace, c.checkpoint_id, c.parent_id, c.type, c.body, c.metadata,
                       c.versions::jsonb
                  FROM unnest($6::int[], $7::text[], $8::uuid[], $9::uuid[], $10::text[], $11::bytea[], $12::text[],
                              $13::text[]) c (number, namespace, checkpoint_id, parent_id, type, body, metadata, versions)
                  JOIN fence f USING (number)
                    ON CONFLICT (tenant_id, deployment_id, thread_key, namespace, checkpoint_id) DO UPDATE
                   SET parent_id = excluded.parent_id, type = excluded.type, body = excluded.body,
                       metadata = excluded.metadata, versions = excluded.versions
                 WHERE checkpoints.run_id = excluded.run_id),
            blob AS (
                INSERT INTO runtime.blobs (tenant_id, deployment_id, thread_key, run_id, namespace, channel, version, type,
                                           size, value)
                SELECT $1, $2, f.thread_key, f.run_id, b.namespace, b.channel, b.version, b.type,
                       coalesce(octet_length(b.value), 0), b.value
                  FROM unnest($14::int[], $15::text[], $16::text[], $17::text[], $18::text[], $19::bytea[])
                       b (number, namespace, channel, version, type, value)
                  JOIN fence f USING (number)
                    ON CONFLICT (tenant_id, deployment_id, thread_key, namespace, channel, version) DO NOTHING),
            write AS (
                INSERT INTO runtime.writes (tenant_id, deployment_id, thread_key, run_id, namespace, checkpoint_id, task_id,
                                            position, task_path, channel, type, size, value)
                SELECT $1, $2, f.thread_key, f.run_id, w.namespace, w.checkpoint_id, w.task_id, w.position, w.task_path,
                       w.channel, w.type, coalesce(octet_length(w.value), 0), w.value
                  FROM unnest($20::int[], $21::text[], $22::uuid[], $23::text[], $24::int[], $25::text[], $26::text[],
                              $27::text[], $28::bytea[]) WITH ORDINALITY
                       w (number, namespace, checkpoint_id, task_id, position, task_path, channel, type, value, place)
                  JOIN fence f USING (number)
                 ORDER BY w.place
                    ON CONFLICT (tenant_id, deployment_id, thread_key, namespace, checkpoint_id, task_id, position, run_id)
                    DO UPDATE SET sequence = excluded.sequence, task_path = excluded.task_path, channel = excluded.channel,
                                  type = excluded.type, size = excluded.size, value = excluded.value
                 WHERE writes.position < 0)
            SELECT number FROM fence
            """;

    private final List<RunFence> fences;
    private final Map<Object, CheckpointRow> checkpoints = new LinkedHashMap<>();
    private final List<BlobRow> blobs = new ArrayList<>();
    private final Map<Object, WriteRow> writes = new LinkedHashMap<>();

    private CheckpointGroup(List<Write> group) {
        fences = group.stream().map(Write::fence).distinct().toList();
        for (Write write : group) {
            int number = fences.indexOf(write.fence()) + 1;
            write.changes().forEach(change -> add(number, change));
        }
    }

    /** Adds the rows of a change. A statement can change a row only once: the last one of a key, or the first one, counts. */
    private void add(int fence, Change change) {
        switch (change) {
            case NewCheckpoint put -> {
                checkpoints.put(List.of(fence, put.namespace(), put.id()), new CheckpointRow(fence, put));
                put.blobs().forEach(blob -> blobs.add(new BlobRow(fence, put.namespace(), blob)));
            }
            case NewWrites put -> {
                for (NewWrite value : put.writes()) {
                    Object key = List.of(fence, put.namespace(), put.checkpoint(), put.task(), value.index());
                    if (value.index() < 0) {
                        writes.put(key, new WriteRow(fence, put, value));
                    } else {
                        writes.putIfAbsent(key, new WriteRow(fence, put, value));
                    }
                }
            }
        }
    }

    /** Stores the writes of the runs that hold their fences; returns these fences. */
    static Uni<Set<RunFence>> store(DeploymentSql sql, List<Write> group) {
        CheckpointGroup rows = new CheckpointGroup(group);
        return sql.execute(STORE, rows.parameters()).map(held -> held.stream()
                .map(row -> rows.fences.get(Math.toIntExact(row.getLong(0)) - 1)).collect(Collectors.toSet()));
    }

    /** Returns the statement that stores a checkpoint of a run if the run holds its fence. */
    static Statement storing(RunFence fence, NewCheckpoint checkpoint) {
        return new Statement(STORE, new CheckpointGroup(List.of(new Write(fence, List.of(checkpoint)))).parameters());
    }

    private @Nullable Object[] parameters() {
        List<Object> all = new ArrayList<>(List.of(
                RowValues.array(fences, UUID[]::new, fence -> fence.thread().key()),
                RowValues.array(fences, UUID[]::new, RunFence::run),
                RowValues.array(fences, Integer[]::new, RunFence::attempt)));
        Collection<CheckpointRow> puts = checkpoints.values();
        Collections.addAll(all,
                RowValues.array(puts, Integer[]::new, CheckpointRow::fence),
                RowValues.array(puts, String[]::new, row -> row.checkpoint().namespace()),
                RowValues.array(puts, UUID[]::new, row -> row.checkpoint().id()),
                RowValues.array(puts, UUID[]::new, row -> row.checkpoint().parent()),
                RowValues.array(puts, String[]::new, row -> row.checkpoint().body().type()),
                RowValues.array(puts, Buffer[]::new, row -> RowValues.buffer(row.checkpoint().body().bytes())),
                RowValues.array(puts, String[]::new, row -> row.checkpoint().metadata()),
                RowValues.array(puts, String[]::new, row -> JsonText.ofTexts(row.checkpoint().versions())),
                RowValues.array(blobs, Integer[]::new, BlobRow::fence),
                RowValues.array(blobs, String[]::new, BlobRow::namespace),
                RowValues.array(blobs, String[]::new, row -> row.blob().channel()),
                RowValues.array(blobs, String[]::new, row -> row.blob().version()),
                RowValues.array(blobs, String[]::new, row -> row.blob().value().type()),
                RowValues.array(blobs, Buffer[]::new, row -> RowValues.buffer(row.blob().value().bytes())));
        Collection<WriteRow> values = writes.values();
        Collections.addAll(all,
                RowValues.array(values, Integer[]::new, WriteRow::fence),
                RowValues.array(values, String[]::new, row -> row.task().namespace()),
                RowValues.array(values, UUID[]::new, row -> row.task().checkpoint()),
                RowValues.array(values, String[]::new, row -> row.task().task()),
                RowValues.array(values, Integer[]::new, row -> row.write().index()),
                RowValues.array(values, String[]::new, row -> row.task().path()),
                RowValues.array(values, String[]::new, row -> row.write().channel()),
                RowValues.array(values, String[]::new, row -> row.write().value().type()),
                RowValues.array(values, Buffer[]::new, row -> RowValues.buffer(row.write().value().bytes())),
                RowValues.array(fences, OffsetDateTime[]::new, fence -> RowValues.time(fence.createdAt())));
        return all.toArray();
    }

    /** Changes of a run, in their order. */
    record Write(RunFence fence, List<Change> changes) {

        /** Returns the size of the values that the write holds in memory. */
        long bytes() {
            return changes.stream().mapToLong(Change::bytes).sum();
        }
    }

    private record CheckpointRow(int fence, NewCheckpoint checkpoint) {
    }

    private record BlobRow(int fence, String namespace, NewBlob blob) {
    }

    private record WriteRow(int fence, NewWrites task, NewWrite write) {
    }
}
