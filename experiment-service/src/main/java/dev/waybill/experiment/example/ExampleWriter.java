package dev.waybill.experiment.example;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.id.NameIds;
import dev.waybill.experiment.dataset.DatasetService;
import dev.waybill.experiment.json.Bytes;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Writes the examples of an upload in batches, in the caller's transaction, which has locked the dataset. {@code row_id}
 * identifies an example within its dataset; the example's id is the same unless an example of another dataset has it.
 */
@Singleton
public class ExampleWriter {

    // Returns the stored inputs only where their text differs. ORDER BY makes PostgreSQL find each row in the unique index,
    // otherwise it could read all examples of the dataset for each row until the table is analyzed.
    private static final String COMPARE = """
            SELECT e.row_id, e.id, e.inputs <> g.inputs OR g.outputs IS NOT NULL AND e.outputs IS DISTINCT FROM g.outputs,
                CASE WHEN e.inputs <> g.inputs THEN e.inputs END
            FROM (SELECT unnest($3::uuid[]) AS row_id, convert_from(unnest($4::bytea[]), 'UTF8') AS inputs,
                convert_from(unnest($5::bytea[]), 'UTF8') AS outputs) g
            CROSS JOIN LATERAL (SELECT row_id, id, inputs, outputs FROM trace.examples
                WHERE tenant_id = $1 AND dataset_id = $2 AND row_id >= g.row_id ORDER BY row_id LIMIT 1) e
            WHERE e.row_id = g.row_id
            """;
    private static final String INSERT = """
            INSERT INTO trace.examples (tenant_id, dataset_id, id, row_id, inputs, outputs, created_at, modified_at)
            SELECT $1, $2, unnest($3::uuid[]), unnest($4::uuid[]), convert_from(unnest($5::bytea[]), 'UTF8'),
                convert_from(unnest($6::bytea[]), 'UTF8'), $7, $7
            ON CONFLICT DO NOTHING RETURNING row_id, id
            """;
    // The examples exist, so all of them conflict; unlike a join, this finds each of them by its key whatever the statistics.
    private static final String UPDATE = """
            INSERT INTO trace.examples AS e (tenant_id, dataset_id, id, row_id, inputs, outputs, inputs_version, created_at,
                modified_at)
            SELECT $1, $2, unnest($3::uuid[]), unnest($4::uuid[]), convert_from(unnest($5::bytea[]), 'UTF8'),
                convert_from(unnest($6::bytea[]), 'UTF8'), unnest($7::integer[]), $8, $8
            ON CONFLICT (tenant_id, id) DO UPDATE SET inputs = excluded.inputs,
                outputs = coalesce(excluded.outputs, e.outputs), modified_at = excluded.modified_at,
                inputs_version = e.inputs_version + excluded.inputs_version
            """;

    private final ObjectMapper json;

    ExampleWriter(ObjectMapper json) {
        this.json = json;
    }

    /** Creates or updates examples; returns their ids by {@code row_id}. */
    public Uni<Map<UUID, UUID>> put(SqlConnection connection, UUID tenantId, DatasetService.TestRunAllocation allocation,
            List<UploadedExample> examples,
            Instant now) {
        // Sorted, so that concurrent uploads of the same rows to different datasets do not deadlock.
        List<UploadedExample> ordered = examples.stream().sorted(Comparator.comparing(UploadedExample::rowId)).toList();
        BatchWrite write = new BatchWrite(connection, tenantId, allocation.datasetId(), now.atOffset(ZoneOffset.UTC));
        Uni<Map<UUID, ExistingExample>> known = allocation.isFirst() ? Uni.createFrom().item(Map.of()) : write.compare(ordered);
        return known
                .chain(existing -> write.update(ordered, existing).replaceWith(existing))
                .chain(existing -> write.insert(ordered, existing));
    }

    private boolean differs(String before, UploadedExample example) {
        try {
            return !json.readTree(before).equals(json.readTree(example.inputs().toString()));
        } catch (JsonProcessingException e) {
            // Too deep or too long for a tree: treated as different, because the texts differ.
            return true;
        }
    }

    /** An example that already exists. */
    private record ExistingExample(UUID id, boolean changes, @Nullable String differentInputs) {
    }

    /** One batch of examples. */
    private final class BatchWrite {

        private final SqlConnection connection;
        private final UUID tenantId;
        private final UUID datasetId;
        private final OffsetDateTime now;

        BatchWrite(SqlConnection connection, UUID tenantId, UUID datasetId, OffsetDateTime now) {
            this.connection = connection;
            this.tenantId = tenantId;
            this.datasetId = datasetId;
            this.now = now;
        }

        Uni<Map<UUID, ExistingExample>> compare(List<UploadedExample> examples) {
            return connection.preparedQuery(COMPARE)
                    .execute(Tuple.of(tenantId, datasetId, rowIds(examples), inputs(examples), outputs(examples)))
                    .map(rows -> {
                        Map<UUID, ExistingExample> existing = new HashMap<>();
                        rows.forEach(row -> existing.put(row.getUUID(0),
                                new ExistingExample(row.getUUID(1), row.getBoolean(2), row.getString(3))));
                        return existing;
                    });
        }

        Uni<Void> update(List<UploadedExample> examples, Map<UUID, ExistingExample> existing) {
            List<UploadedExample> changed = new ArrayList<>();
            List<UUID> ids = new ArrayList<>();
            List<Integer> steps = new ArrayList<>();
            for (UploadedExample example : examples) {
                ExistingExample known = existing.get(example.rowId());
                if (known != null && known.changes()) {
                    changed.add(example);
                    ids.add(known.id());
                    steps.add(known.differentInputs() != null && differs(known.differentInputs(), example) ? 1 : 0);
                }
            }
            if (changed.isEmpty()) {
                return Uni.createFrom().voidItem();
            }
            Tuple values = Tuple.of(tenantId, datasetId, ids.toArray(UUID[]::new), rowIds(changed), inputs(changed),
                    outputs(changed));
            return connection.preparedQuery(UPDATE)
                    .execute(values.addValue(steps.toArray(Integer[]::new)).addOffsetDateTime(now))
                    .replaceWithVoid();
        }

        // Tries the row's id first; if another dataset has it, uses a UUIDv5 of the dataset's and the row's id.
        Uni<Map<UUID, UUID>> insert(List<UploadedExample> examples, Map<UUID, ExistingExample> existing) {
            Map<UUID, UUID> ids = new HashMap<>();
            existing.forEach((rowId, known) -> ids.put(rowId, known.id()));
            return insert(without(examples, ids), ids, rowId -> rowId)
                    .chain(() -> insert(without(examples, ids), ids, rowId -> NameIds.of(datasetId, rowId.toString())))
                    .replaceWith(ids);
        }

        private Uni<Void> insert(List<UploadedExample> examples, Map<UUID, UUID> target, IdFunction idFunction) {
            if (examples.isEmpty()) {
                return Uni.createFrom().voidItem();
            }
            UUID[] newIds = examples.stream().map(example -> idFunction.idOf(example.rowId())).toArray(UUID[]::new);
            Tuple values = Tuple.of(tenantId, datasetId, newIds, rowIds(examples), inputs(examples), outputs(examples));
            return connection.preparedQuery(INSERT)
                    .execute(values.addOffsetDateTime(now))
                    .invoke(rows -> {
                        for (Row row : rows) {
                            target.put(row.getUUID(0), row.getUUID(1));
                        }
                    })
                    .replaceWithVoid();
        }

        private static List<UploadedExample> without(List<UploadedExample> examples, Map<UUID, UUID> known) {
            return examples.stream().filter(example -> !known.containsKey(example.rowId())).toList();
        }
    }

    private static UUID[] rowIds(List<UploadedExample> examples) {
        return examples.stream().map(UploadedExample::rowId).toArray(UUID[]::new);
    }

    private static Buffer[] inputs(List<UploadedExample> examples) {
        return examples.stream().map(example -> example.inputs().toBuffer()).toArray(Buffer[]::new);
    }

    private static @Nullable Buffer[] outputs(List<UploadedExample> examples) {
        return examples.stream()
                .map(example -> example.outputs() == null ? null : example.outputs().toBuffer())
                .toArray(Buffer[]::new);
    }

    @FunctionalInterface
    private interface IdFunction {
        UUID idOf(UUID rowId);
    }

    /**
     * An example in an upload.
     *
     * @param rowId identifies the example within its dataset
     * @param outputs null keeps the existing outputs
     */
    public record UploadedExample(UUID rowId, Bytes inputs, @Nullable Bytes outputs) {
    }
}
