package dev.waybill.experiment.comparison;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Rows;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Finds the rows of a comparison and loads their contents. */
@Singleton
class ComparisonRowRepository {

    // Limits on the texts that one comparison loads into memory at a time.
    private static final int MAX_EXAMPLE_BYTES = 8 * 1024 * 1024;
    private static final int MAX_RUN_BYTES = 24 * 1024 * 1024;

    private static final String RUNS_OF_ROWS = """
            WITH r AS (
                SELECT session_id, reference_example_id AS example_id, id, start_time,
                    extract(epoch FROM end_time - start_time)::float8 AS latency
                FROM trace.runs WHERE tenant_id = $1 AND session_id = ANY($2) AND reference_example_id = ANY($3)
                    AND parent_run_id IS NULL)
            """;
    // Returns texts in row order until the size limit is reached.
    private static final String EXAMPLES = """
            SELECT example_id, CASE WHEN fits THEN inputs END AS inputs, NOT fits AS inputs_left_out,
                CASE WHEN fits THEN outputs END AS outputs, NOT fits AND outputs IS NOT NULL AS outputs_left_out
            FROM (
                SELECT id AS example_id, inputs, outputs, sum(octet_length(inputs) + coalesce(octet_length(outputs), 0))
                    OVER (ORDER BY array_position($2, id)) <= $3 AS fits
                FROM trace.examples WHERE tenant_id = $1 AND id = ANY($2)) sized
            """;
    // Of several runs, returns the newest. Returns inputs only if they can differ from the example's and their text
    // does.
    private static final String RUNS = RUNS_OF_ROWS
            + """
                    , cells AS (
                        SELECT session_id, example_id, count(*) AS n, avg(latency) AS latency, max(start_time) AS newest,
                            (array_agg(id ORDER BY start_time DESC, id DESC))[1] AS id
                        FROM r GROUP BY session_id, example_id)
                    , texts AS (
                        SELECT c.session_id, c.example_id, c.id, c.n, c.latency, t.outputs, t.error,
                            coalesce(e.inputs_version > 1 AND t.inputs IS DISTINCT FROM e.inputs, false) AS other_text,
                            CASE WHEN e.inputs_version > 1 AND t.inputs IS DISTINCT FROM e.inputs THEN t.inputs END AS inputs
                        FROM cells c
                        JOIN trace.runs t ON t.tenant_id = $1 AND t.session_id = c.session_id AND t.start_time = c.newest
                            AND t.id = c.id
                        LEFT JOIN trace.examples e ON e.tenant_id = $1 AND e.id = c.example_id)
                    SELECT session_id, example_id, id, n, latency, other_text, CASE WHEN fits THEN inputs END AS inputs,
                        CASE WHEN fits THEN outputs END AS outputs, NOT fits AND outputs IS NOT NULL AS outputs_left_out,
                        CASE WHEN fits THEN error END AS error, NOT fits AND error IS NOT NULL AS error_left_out
                    FROM (
                        SELECT *, sum(coalesce(octet_length(outputs), 0) + coalesce(octet_length(error), 0)
                            + coalesce(octet_length(inputs), 0)) OVER (ORDER BY array_position($3, example_id), session_id) <= $4 AS fits
                        FROM texts) sized
                    """;
    // Finds feedback by its run: before the first ANALYZE after an upload, the planner would read all feedback of the
    // sessions for each run, which OFFSET 0 prevents.
    private static final String FEEDBACK_OF_RUNS = """
            FROM r CROSS JOIN LATERAL (
                SELECT id, session_id, key, score, comment, created_at FROM trace.feedback
                WHERE tenant_id = $1 AND run_id = r.id OFFSET 0) f
            """;
    // Selects the same feedback as ScoreSql: with a session of the comparison, or received before its run.
    private static final String SCORES = RUNS_OF_ROWS + """
            SELECT r.session_id, r.example_id, f.key, count(*) AS n, avg(f.score) AS score, stddev_pop(f.score) AS stdev
            """ + FEEDBACK_OF_RUNS + """
            WHERE f.score IS NOT NULL AND abs(f.score) < 1e150 AND (f.session_id = ANY($2) OR f.session_id IS NULL)
            GROUP BY r.session_id, r.example_id, f.key ORDER BY f.key
            """;
    private static final String COMMENTS = RUNS_OF_ROWS + """
            SELECT r.session_id, r.example_id, r.id AS run_id, f.key, f.score, left(f.comment, 4000) AS comment
            """ + FEEDBACK_OF_RUNS + """
            WHERE f.comment <> '' AND (f.session_id = ANY($2) OR f.session_id IS NULL)
            ORDER BY f.key, f.created_at, f.id LIMIT 500
            """;
    // Reads the next $4 examples of each experiment and returns the first $4 of all, so none is skipped.
    private static final String NEXT = """
            SELECT DISTINCT x.example_id FROM unnest($2::uuid[]) AS e (session_id)
            CROSS JOIN LATERAL (
                SELECT DISTINCT r.reference_example_id AS example_id FROM trace.runs r
                WHERE r.tenant_id = $1 AND r.session_id = e.session_id AND r.reference_example_id %s $3
                    AND r.parent_run_id IS NULL
                ORDER BY r.reference_example_id LIMIT $4) x
            ORDER BY x.example_id LIMIT $4
            """;

    /**
     * Returns the ids of the selected rows in their order.
     *
     * @param first position of the first id to return, a multiple of {@link RowOrder#WINDOW}
     */
    Uni<RowOrder> order(SqlConnection connection, ComparisonScopeService.ComparisonScope scope, RowSelection selection,
            int first) {
        RowOrderStatement statement = new RowOrderStatement(scope, selection, first);
        return ScoreSql.withLargeQueryOptions(connection,
                () -> connection.preparedQuery(statement.sql()).execute(statement.values()).map(rows -> {
                    Row row = rows.iterator().next();
                    Buffer ids = row.getBuffer("ids");
                    return new RowOrder(row.getLong("total"), first, ids == null ? new byte[0] : ids.getBytes());
                }));
    }

    /** Returns the examples after {@code last} in order of id, or the first ones if it is null. */
    Uni<List<UUID>> next(SqlConnection connection, ComparisonScopeService.ComparisonScope scope, @Nullable UUID last,
            int count) {
        UUID from = last == null ? new UUID(0, 0) : last;
        return connection.preparedQuery(NEXT.formatted(last == null ? ">=" : ">"))
                .execute(Tuple.of(scope.tenantId(), scope.ids(), from, count))
                .map(rows -> Rows.list(rows, row -> row.getUUID(0)));
    }

    /** Loads the rows of these examples; omits texts above the size limit. */
    Uni<ComparisonRows> load(SqlConnection connection, ComparisonScopeService.ComparisonScope scope, List<UUID> examples) {
        UUID[] ids = examples.toArray(UUID[]::new);
        UUID[] experiments = scope.ids();
        ComparisonRows loaded = new ComparisonRows(scope, examples);
        if (examples.isEmpty()) {
            return Uni.createFrom().item(loaded);
        }
        return connection.preparedQuery(EXAMPLES)
                .execute(Tuple.of(scope.tenantId(), ids, MAX_EXAMPLE_BYTES))
                .invoke(rows -> rows.forEach(loaded::addExample))
                .chain(() -> connection.preparedQuery(RUNS)
                        .execute(Tuple.of(scope.tenantId(), experiments, ids, MAX_RUN_BYTES)))
                .invoke(rows -> rows.forEach(loaded::addRun))
                .chain(() -> connection.preparedQuery(SCORES).execute(Tuple.of(scope.tenantId(), experiments, ids)))
                .invoke(rows -> rows.forEach(loaded::addScore))
                .replaceWith(loaded);
    }

    /** Loads the row of one example with the comments on its scores; without runs on the example there is no row. */
    Uni<ComparisonRows> loadWithComments(SqlConnection connection, ComparisonScopeService.ComparisonScope scope,
            UUID exampleId) {
        return load(connection, scope, List.of(exampleId))
                .chain(loaded -> loaded.hasRuns()
                        ? connection.preparedQuery(COMMENTS)
                                .execute(Tuple.of(scope.tenantId(), scope.ids(), new UUID[] { exampleId }))
                                .invoke(rows -> rows.forEach(loaded::addComment))
                                .replaceWith(loaded)
                        : Uni.createFrom().item(new ComparisonRows(scope, List.of())));
    }
}
