package dev.waybill.runtime.storage.postgres;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CheckpointStorage.Change;
import dev.waybill.runtime.storage.CheckpointStorage.NewBlob;
import dev.waybill.runtime.storage.CheckpointStorage.NewCheckpoint;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrite;
import dev.waybill.runtime.storage.CheckpointStorage.NewWrites;
import dev.waybill.runtime.storage.JsonText;
import io.vertx.core.buffer.Buffer;

/** Rows of the checkpoints and writes of several runs, which part of a statement stores. */
final class ChangeRows {

    /**
     * Common table expressions that store the rows of those runs that another one, {@code held (number)}, returns. {@code $26}
     * and {@code $27} are the threads and the runs by number. A join with {@code held} would compare each row with each run,
     * because connections use nested loops only. Writes are stored in the order of the group, because the sequence tells the
     * newest write of an index.
     */
    static final String INSERTS = """
            checkpoint AS (
                INSERT INTO runtime.checkpoints (tenant_id, deployment_id, thread_key, run_id, namespace, checkpoint_id,
                                                 parent_id, type, body, metadata, versions)
                SELECT $1, $2, ($26::uuid[])[c.number], ($27::uuid[])[c.number], c.namespace, c.checkpoint_id, c.parent_id,
                       c.type, c.body, c.metadata, c.versions::jsonb
                  FROM unnest($3::int[], $4::text[], $5::uuid[], $6::uuid[], $7::text[], $8::bytea[], $9::text[],
                              $10::text[]) c (number, namespace, checkpoint_id, parent_id, type, body, metadata, versions)
                 WHERE (c.number IN (SELECT number FROM held)) IS TRUE
                    ON CONFLICT (tenant_id, deployment_id, thread_key, namespace, checkpoint_id) DO UPDATE
                   SET parent_id = excluded.parent_id, type = excluded.type, body = excluded.body,
                       metadata = excluded.metadata, versions = excluded.versions
                 WHERE checkpoints.run_id = excluded.run_id),
            blob AS (
                INSERT INTO runtime.blobs (tenant_id, deployment_id, thread_key, run_id, namespace, channel, version, type,
                                           size, value)
                SELECT $1, $2, ($26::uuid[])[b.number], ($27::uuid[])[b.number], b.namespace, b.channel, b.version, b.type,
                       coalesce(octet_length(b.value), 0), b.value
                  FROM unnest($11::int[], $12::text[], $13::text[], $14::text[], $15::text[], $16::bytea[])
                       b (number, namespace, channel, version, type, value)
                 WHERE (b.number IN (SELECT number FROM held)) IS TRUE
                    ON CONFLICT (tenant_id, deployment_id, thread_key, namespace, channel, version) DO NOTHING),
            write AS (
                INSERT INTO runtime.writes (tenant_id, deployment_id, thread_key, run_id, namespace, checkpoint_id, task_id,
                                            position, task_path, channel, type, size, value)
                SELECT $1, $2, ($26::uuid[])[w.number], ($27::uuid[])[w.number], w.namespace, w.checkpoint_id, w.task_id,
                       w.position, w.task_path, w.channel, w.type, coalesce(octet_length(w.value), 0), w.value
                  FROM unnest($17::int[], $18::text[], $19::uuid[], $20::text[], $21::int[], $22::text[], $23::text[],
                              $24::text[], $25::bytea[]) WITH ORDINALITY
                       w (number, namespace, checkpoint_id, task_id, position, task_path, channel, type, value, place)
                 WHERE (w.number IN (SELECT number FROM held)) IS TRUE
                 ORDER BY w.place
                    ON CONFLICT (tenant_id, deployment_id, thread_key, namespace, checkpoint_id, task_id, position, run_id)
                    DO UPDATE SET sequence = excluded.sequence, task_path = excluded.task_path, channel = excluded.channel,
                                  type = excluded.type, size = excluded.size, value = excluded.value
                 WHERE writes.position < 0)
            """;

    private final Map<Object, CheckpointRow> checkpoints = new LinkedHashMap<>();
    private final List<BlobRow> blobs = new ArrayList<>();
    private final Map<Object, WriteRow> writes = new LinkedHashMap<>();

    /**
     * Adds the rows of a change. A statement can change a row only once: the last one of a key, or the first one, counts.
     *
     * @param run number of the run, from 1
     */
    void add(int run, Change change) {
        switch (change) {
            case NewCheckpoint put -> {
                checkpoints.put(List.of(run, put.namespace(), put.id()), new CheckpointRow(run, put));
                put.blobs().forEach(blob -> blobs.add(new BlobRow(run, put.namespace(), blob)));
            }
            case NewWrites put -> {
                for (NewWrite value : put.writes()) {
                    Object key = List.of(run, put.namespace(), put.checkpoint(), put.task(), value.index());
                    if (value.index() < 0) {
                        writes.put(key, new WriteRow(run, put, value));
                    } else {
                        writes.putIfAbsent(key, new WriteRow(run, put, value));
                    }
                }
            }
        }
    }

    /** Returns the parameters {@code $3} to {@code $25} of the rows, with the following ones. */
    @Nullable
    Object[] parameters(Object... following) {
        Collection<CheckpointRow> puts = checkpoints.values();
        Collection<WriteRow> values = writes.values();
        List<Object> all = new ArrayList<>(List.of(
                RowValues.array(puts, Integer[]::new, CheckpointRow::run),
                RowValues.array(puts, String[]::new, row -> row.checkpoint().namespace()),
                RowValues.array(puts, UUID[]::new, row -> row.checkpoint().id()),
                RowValues.array(puts, UUID[]::new, row -> row.checkpoint().parent()),
                RowValues.array(puts, String[]::new, row -> row.checkpoint().body().type()),
                RowValues.array(puts, Buffer[]::new, row -> RowValues.buffer(row.checkpoint().body().bytes())),
                RowValues.array(puts, String[]::new, row -> row.checkpoint().metadata()),
                RowValues.array(puts, String[]::new, row -> JsonText.ofTexts(row.checkpoint().versions()))));
        all.addAll(List.of(
                RowValues.array(blobs, Integer[]::new, BlobRow::run),
                RowValues.array(blobs, String[]::new, BlobRow::namespace),
                RowValues.array(blobs, String[]::new, row -> row.blob().channel()),
                RowValues.array(blobs, String[]::new, row -> row.blob().version()),
                RowValues.array(blobs, String[]::new, row -> row.blob().value().type()),
                RowValues.array(blobs, Buffer[]::new, row -> RowValues.buffer(row.blob().value().bytes()))));
        all.addAll(List.of(
                RowValues.array(values, Integer[]::new, WriteRow::run),
                RowValues.array(values, String[]::new, row -> row.task().namespace()),
                RowValues.array(values, UUID[]::new, row -> row.task().checkpoint()),
                RowValues.array(values, String[]::new, row -> row.task().task()),
                RowValues.array(values, Integer[]::new, row -> row.write().index()),
                RowValues.array(values, String[]::new, row -> row.task().path()),
                RowValues.array(values, String[]::new, row -> row.write().channel()),
                RowValues.array(values, String[]::new, row -> row.write().value().type()),
                RowValues.array(values, Buffer[]::new, row -> RowValues.buffer(row.write().value().bytes()))));
        all.addAll(List.of(following));
        return all.toArray();
    }

    private record CheckpointRow(int run, NewCheckpoint checkpoint) {
    }

    private record BlobRow(int run, String namespace, NewBlob blob) {
    }

    private record WriteRow(int run, NewWrites task, NewWrite write) {
    }
}
