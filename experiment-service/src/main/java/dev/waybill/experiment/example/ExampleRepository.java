package dev.waybill.experiment.example;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.ExampleResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.experiment.json.Bytes;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and writes rows of examples. */
@Singleton
class ExampleRepository {

    private static final String LIST = """
            SELECT id, dataset_id, row_id, inputs, outputs, metadata, source_run_id, created_at, modified_at
            FROM trace.examples e WHERE\s""" + ExampleQuery.WHERE + " ORDER BY created_at DESC, id DESC LIMIT ";
    private static final String COUNT = "SELECT count(*) FROM trace.examples e WHERE " + ExampleQuery.WHERE;
    private static final String INSERT = """
            INSERT INTO trace.examples (tenant_id, id, row_id, dataset_id, inputs, outputs, metadata, splits, source_run_id,
                created_at, modified_at)
            SELECT $1, g.id, g.id, g.dataset_id, convert_from(g.inputs, 'UTF8'), convert_from(g.outputs, 'UTF8'),
                convert_from(g.metadata, 'UTF8'), g.splits::text[], g.source_run_id, coalesce(g.created_at, $10), $10
            FROM unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::bytea[], $6::bytea[], $7::text[], $8::uuid[],
                $9::timestamptz[]) AS g (id, dataset_id, inputs, outputs, metadata, splits, source_run_id, created_at)
            ON CONFLICT DO NOTHING RETURNING id
            """;
    private static final String UPDATE = """
            UPDATE trace.examples e SET inputs = coalesce(g.inputs, e.inputs), outputs = coalesce(g.outputs, e.outputs),
                metadata = coalesce(g.metadata, e.metadata),
                splits = CASE WHEN g.metadata IS NULL THEN e.splits ELSE g.splits END, modified_at = $7,
                inputs_version = e.inputs_version + (g.inputs <> e.inputs AND g.inputs IS NOT NULL)::integer
            FROM (SELECT u.id, convert_from(u.inputs, 'UTF8') AS inputs, convert_from(u.outputs, 'UTF8') AS outputs,
                    convert_from(u.metadata, 'UTF8') AS metadata, u.splits::text[] AS splits
                FROM unnest($2::uuid[], $3::bytea[], $4::bytea[], $5::bytea[], $6::text[])
                    AS u (id, inputs, outputs, metadata, splits)) g
            WHERE e.tenant_id = $1 AND e.id = g.id
            """;
    private static final String FIND_DATASETS = """
            SELECT id, dataset_id FROM trace.examples WHERE tenant_id = $1 AND id = ANY($2)
            """;
    private static final String HAS_NEWER = """
            SELECT FROM trace.examples WHERE tenant_id = $1 AND dataset_id = $2 AND modified_at > $3 LIMIT 1
            """;
    private static final String HAS_CHANGED_SINCE = """
            SELECT FROM trace.examples WHERE tenant_id = $1 AND dataset_id = $2 AND modified_at > $3 AND created_at <= $3 LIMIT 1
            """;
    private static final String REMOVE = "DELETE FROM trace.examples WHERE tenant_id = $1 AND id = ANY($2)";

    Uni<List<ExampleResponse>> list(SqlConnection connection, UUID tenantId, ExampleQuery query) {
        return connection.preparedQuery(LIST + query.page().limit() + " OFFSET " + query.page().offset())
                .execute(query.values(tenantId))
                .map(rows -> Rows.list(rows, ExampleRepository::example));
    }

    Uni<Long> count(SqlConnection connection, UUID tenantId, ExampleQuery query) {
        return connection.preparedQuery(COUNT)
                .execute(query.values(tenantId))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** Inserts examples; returns the ids of those whose id was new. */
    Uni<Set<UUID>> insert(SqlConnection connection, UUID tenantId, List<ReceivedExample> examples, OffsetDateTime now) {
        Tuple values = Tuple.tuple()
                .addUUID(tenantId)
                .addValue(column(examples, UUID[]::new, example -> example.id))
                .addValue(column(examples, UUID[]::new, example -> example.datasetId))
                .addValue(json(examples, example -> example.inputs))
                .addValue(json(examples, example -> example.outputs))
                .addValue(json(examples, example -> example.metadata))
                .addValue(column(examples, String[]::new, example -> arrayText(example.splits)))
                .addValue(column(examples, UUID[]::new, example -> example.sourceRunId))
                .addValue(column(examples, OffsetDateTime[]::new, example -> example.createdAt == null ? null
                        : example.createdAt.atOffset(now.getOffset())))
                .addOffsetDateTime(now);
        return connection.preparedQuery(INSERT)
                .execute(values)
                .map(rows -> rows.stream().map(row -> row.getUUID(0)).collect(Collectors.toSet()));
    }

    /** Returns whether no example of the dataset was created or updated after {@code time}. */
    Uni<Boolean> isUnchangedSince(SqlConnection connection, UUID tenantId, UUID datasetId, Instant time) {
        return connection.preparedQuery(HAS_NEWER)
                .execute(Tuple.of(tenantId, datasetId, time.atOffset(ZoneOffset.UTC)))
                .map(rows -> rows.size() == 0);
    }

    /** Returns whether an example of the dataset that existed at {@code time} was updated after it. */
    Uni<Boolean> hasChangedSince(SqlConnection connection, UUID tenantId, UUID datasetId, Instant time) {
        return connection.preparedQuery(HAS_CHANGED_SINCE)
                .execute(Tuple.of(tenantId, datasetId, time.atOffset(ZoneOffset.UTC)))
                .map(rows -> rows.size() == 1);
    }

    /** Updates the members that are not null. */
    Uni<Void> update(SqlConnection connection, UUID tenantId, List<ReceivedExample> examples, OffsetDateTime now) {
        Tuple values = Tuple.tuple()
                .addUUID(tenantId)
                .addValue(column(examples, UUID[]::new, example -> example.id))
                .addValue(json(examples, example -> example.inputs))
                .addValue(json(examples, example -> example.outputs))
                .addValue(json(examples, example -> example.metadata))
                .addValue(column(examples, String[]::new, example -> arrayText(example.splits)))
                .addOffsetDateTime(now);
        return connection.preparedQuery(UPDATE)
                .execute(values)
                .replaceWithVoid();
    }

    /** Returns the dataset ids of the examples that exist. */
    Uni<Map<UUID, UUID>> datasetsOf(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return connection.preparedQuery(FIND_DATASETS)
                .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new)))
                .map(rows -> {
                    Map<UUID, UUID> datasets = new HashMap<>();
                    rows.forEach(row -> datasets.put(row.getUUID(0), row.getUUID(1)));
                    return datasets;
                });
    }

    Uni<Void> remove(SqlConnection connection, UUID tenantId, Set<UUID> ids) {
        return connection.preparedQuery(REMOVE)
                .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new)))
                .replaceWithVoid();
    }

    private static ExampleResponse example(Row row) {
        return new ExampleResponse(row.getUUID("id"), row.getUUID("dataset_id"), row.getUUID("row_id"),
                row.getString("inputs"), row.getString("outputs"), row.getString("metadata"), row.getUUID("source_run_id"),
                row.getOffsetDateTime("created_at").toInstant(), row.getOffsetDateTime("modified_at").toInstant());
    }

    private static @Nullable Buffer[] json(List<ReceivedExample> examples,
            Function<ReceivedExample, @Nullable Bytes> member) {
        return column(examples, Buffer[]::new, example -> {
            Bytes json = member.apply(example);
            return json == null ? null : json.toBuffer();
        });
    }

    private static <T> @Nullable T[] column(List<ReceivedExample> examples,
            IntFunction<@Nullable T[]> array, Function<ReceivedExample, @Nullable T> member) {
        @Nullable
        T[] values = array.apply(examples.size());
        for (int i = 0; i < values.length; i++) {
            values[i] = member.apply(examples.get(i));
        }
        return values;
    }

    // unnest flattens nested arrays, so each inner array is passed as its text form.
    private static @Nullable String arrayText(@Nullable List<String> texts) {
        return texts == null ? null
                : texts.stream()
                        .map(text -> "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                        .collect(Collectors.joining(",", "{", "}"));
    }
}
