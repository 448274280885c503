package dev.waybill.experiment.query;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.TraceResponse.TraceRun;
import dev.waybill.common.database.Rows;
import dev.waybill.experiment.run.RemovedSessions;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the runs of a trace without their values. */
@Singleton
class TraceRepository {

    // xmin is the transaction that wrote the row, so the sum differs after any change of any run.
    private static final String VERSION = """
            WITH found AS MATERIALIZED (
                SELECT runs.id, runs.session_id, runs.xmin::text AS version FROM trace.runs AS runs
                WHERE runs.tenant_id = $1 AND runs.trace_id = $2 AND {not_removed})
            SELECT count(*) AS runs, coalesce(sum(hashtextextended(id::text || version, 0)), 0)::text AS hash,
                (SELECT coalesce(sum(hashtextextended(session.id::text || session.name, 0)), 0)::text
                    FROM trace.sessions AS session
                    WHERE session.tenant_id = $1 AND session.id IN (SELECT session_id FROM found)) AS session_hash
            FROM found
            """.replace("{not_removed}", RemovedSessions.excludedFrom("runs"));

    // OFFSET 0 makes PostgreSQL find the runs by the index on traces, whatever their order.
    private static final String LIST = """
            SELECT runs.id, runs.session_id, runs.parent_run_id, left(runs.name, 200) AS name,
                left(runs.run_type, 100) AS run_type, runs.status, runs.start_time, runs.end_time, runs.first_token_time,
                left(runs.error, 200) AS error, runs.prompt_tokens, runs.completion_tokens, runs.total_tokens, runs.total_cost,
                runs.reference_example_id
            FROM (SELECT * FROM trace.runs WHERE tenant_id = $1 AND trace_id = $2 AND {not_removed} OFFSET 0) AS runs
            ORDER BY runs.start_time, runs.id LIMIT $3
            """.replace("{not_removed}", RemovedSessions.excludedFrom("runs"));

    private static final String FIND_SESSION = """
            SELECT name, reference_dataset_id FROM trace.sessions WHERE tenant_id = $1 AND id = $2
            """;

    /** Returns the version of the stored runs of a trace. */
    Uni<TraceVersion> version(SqlConnection connection, UUID tenantId, UUID traceId) {
        return connection.preparedQuery(VERSION)
                .execute(Tuple.of(tenantId, traceId))
                .map(rows -> rows.iterator().next())
                .map(row -> new TraceVersion(row.getLong("runs"), row.getString("hash") + "." + row.getString("session_hash")));
    }

    /** Returns the first runs by start time, with depth 0. */
    Uni<TraceRuns> list(SqlConnection connection, UUID tenantId, UUID traceId, int limit) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId, traceId, limit))
                .map(rows -> new TraceRuns(Rows.findFirst(rows, row -> row.getUUID("session_id")), rootExample(rows),
                        runs(rows)));
    }

    /** Returns the session; without name and dataset if it does not exist. */
    Uni<TraceSession> findSession(SqlConnection connection, UUID tenantId, UUID sessionId) {
        return connection.preparedQuery(FIND_SESSION)
                .execute(Tuple.of(tenantId, sessionId))
                .map(rows -> Rows.findFirst(rows,
                        row -> new TraceSession(sessionId, row.getString("name"), row.getUUID("reference_dataset_id")))
                        .orElseGet(() -> new TraceSession(sessionId, null, null)));
    }

    private static @Nullable UUID rootExample(RowSet<Row> rows) {
        for (Row row : rows) {
            if (row.getUUID("parent_run_id") == null) {
                return row.getUUID("reference_example_id");
            }
        }
        return null;
    }

    private static List<TraceRun> runs(RowSet<Row> rows) {
        return Rows.list(rows, row -> new TraceRun(row.getUUID("id"), row.getUUID("parent_run_id"), 0, row.getString("name"),
                row.getString("run_type"), row.getString("status"), row.getOffsetDateTime("start_time").toInstant(),
                Rows.instant(row, "end_time"), Rows.instant(row, "first_token_time"), row.getString("error"),
                row.getLong("prompt_tokens"), row.getLong("completion_tokens"), row.getLong("total_tokens"),
                row.getBigDecimal("total_cost")));
    }

    /**
     * Version of the runs of a trace.
     *
     * @param runs number of runs; 0 if the trace does not exist
     * @param hash differs after any change
     */
    record TraceVersion(long runs, String hash) {
    }

    /**
     * Runs of a trace by start time.
     *
     * @param session session of the first run; empty without runs
     * @param rootExample example of the first root run
     */
    record TraceRuns(Optional<UUID> session, @Nullable UUID rootExample, List<TraceRun> runs) {
    }

    /**
     * Session of a trace.
     *
     * @param datasetId null unless the session is an experiment
     */
    record TraceSession(UUID id, @Nullable String name, @Nullable UUID datasetId) {
    }
}
