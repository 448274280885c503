package dev.waybill.experiment.query;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.util.RawValue;

import dev.waybill.common.database.Rows;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads examples as JSON members of the API. */
@Singleton
class ExampleRowRepository {

    private static final String LIST = """
            SELECT id, dataset_id, inputs, outputs, metadata, source_run_id, created_at, modified_at
            FROM trace.examples WHERE tenant_id = $1 AND dataset_id = $2 AND (cardinality($3::uuid[]) = 0 OR id = ANY($3))
            ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5
            """;

    Uni<List<Map<String, @Nullable Object>>> list(SqlConnection connection, UUID tenantId, ExperimentRunsQuery query) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId, query.datasetId(), query.examples().toArray(UUID[]::new), query.limit(),
                        query.offset()))
                .map(rows -> Rows.list(rows, ExampleRowRepository::members));
    }

    private static Map<String, @Nullable Object> members(Row row) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("id", row.getUUID("id"));
        members.put("dataset_id", row.getUUID("dataset_id"));
        members.put("inputs", json(row, "inputs"));
        members.put("outputs", json(row, "outputs"));
        members.put("metadata", json(row, "metadata"));
        members.put("source_run_id", row.getUUID("source_run_id"));
        members.put("created_at", row.getOffsetDateTime("created_at").toInstant());
        members.put("modified_at", row.getOffsetDateTime("modified_at").toInstant());
        return members;
    }

    private static @Nullable RawValue json(Row row, String column) {
        String text = row.getString(column);
        return text == null ? null : new RawValue(text);
    }
}
