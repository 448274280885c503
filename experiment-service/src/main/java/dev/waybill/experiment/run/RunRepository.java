package dev.waybill.experiment.run;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.time.Timestamps;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads runs. */
@Singleton
class RunRepository {

    private static final String FIND = """
            SELECT id, name, run_type, start_time, end_time, first_token_time, status, error, inputs, outputs, extra, events,
                serialized, tags, trace_id, dotted_order, parent_run_id, parent_run_ids, session_id, reference_example_id,
                prompt_tokens, completion_tokens, total_tokens, prompt_cost, completion_cost, total_cost
            FROM trace.run_places JOIN trace.runs USING (tenant_id, session_id, start_time, id)
            WHERE tenant_id = $1 AND id = $2
            """;

    private static final String PLACE = """
            SELECT dotted_order FROM trace.run_places JOIN trace.runs USING (tenant_id, session_id, start_time, id)
            WHERE tenant_id = $1 AND id = $2
            """;

    Uni<Optional<RunResponse>> find(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> first(rows).map(row -> run(tenantId, row)));
    }

    /** The dotted order of a run, when it is there. */
    Uni<Optional<String>> findPlace(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(PLACE)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> first(rows).map(row -> row.getString(0)));
    }

    private static Optional<Row> first(RowSet<Row> rows) {
        var iterator = rows.iterator();
        return iterator.hasNext() ? Optional.of(iterator.next()) : Optional.empty();
    }

    private static RunResponse run(UUID tenantId, Row row) {
        UUID id = row.getUUID("id");
        UUID sessionId = row.getUUID("session_id");
        Instant startTime = row.getOffsetDateTime("start_time").toInstant();
        // The same text as in an export, so that a row there leads to the run here.
        String appPath = "/o/%s/projects/p/%s/r/%s?trace_id=%s&start_time=%s".formatted(tenantId, sessionId, id,
                row.getUUID("trace_id"), Timestamps.format(startTime));
        return new RunResponse(id, row.getString("name"), row.getString("run_type"),
                startTime,
                instant(row, "end_time"), instant(row, "first_token_time"), row.getString("status"), row.getString("error"),
                row.getString("inputs"), row.getString("outputs"), row.getString("extra"), row.getString("events"),
                row.getString("serialized"), tags(row), row.getUUID("trace_id"), row.getString("dotted_order"),
                row.getUUID("parent_run_id"), Arrays.asList(row.getArrayOfUUIDs("parent_run_ids")), sessionId,
                row.getUUID("reference_example_id"), row.getLong("prompt_tokens"), row.getLong("completion_tokens"),
                row.getLong("total_tokens"), row.getBigDecimal("prompt_cost"), row.getBigDecimal("completion_cost"),
                row.getBigDecimal("total_cost"), appPath);
    }

    private static @Nullable Instant instant(Row row, String column) {
        var time = row.getOffsetDateTime(column);
        return time == null ? null : time.toInstant();
    }

    private static @Nullable List<String> tags(Row row) {
        String[] tags = row.getArrayOfStrings("tags");
        return tags == null ? null : Arrays.asList(tags);
    }
}
