package dev.waybill.experiment.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.experiment.lake.LakeQuery.RunPosition;
import dev.waybill.experiment.run.AttachmentLinks;
import dev.waybill.experiment.run.RunResponseMapper;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads runs. */
@Singleton
class RunQueryRepository {

    // Disables sorting: the indexes return runs in page order, and sorting a whole session for one page is too
    // expensive.
    private static final String SET_QUERY_OPTIONS = """
            SELECT set_config('statement_timeout', $1, true), set_config('enable_sort', 'off', true),
                   set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)
            """;

    private final AttachmentLinks attachmentLinks;

    RunQueryRepository(AttachmentLinks attachmentLinks) {
        this.attachmentLinks = attachmentLinks;
    }

    /** Sets the planner options and the timeout of the statements of the transaction. */
    Uni<Void> prepareTransaction(SqlConnection connection, Duration statementTimeout) {
        return connection.preparedQuery(SET_QUERY_OPTIONS)
                .execute(Tuple.of(Long.toString(Math.clamp(statementTimeout.toMillis(), 1, Integer.MAX_VALUE))))
                .replaceWithVoid();
    }

    /** Returns the first runs of a query. */
    Uni<FoundRuns> find(SqlConnection connection, UUID tenantId, RunQueryParser.RunQuery query, long maxBytes) {
        return find(connection, tenantId, RunQueryStatement.of(tenantId, query, maxBytes));
    }

    /** Returns the first runs of a query among these runs. */
    Uni<FoundRuns> findAmong(SqlConnection connection, UUID tenantId, RunQueryParser.RunQuery query,
            List<RunPosition> candidates, long maxBytes) {
        return candidates.isEmpty() ? Uni.createFrom().item(new FoundRuns(List.of(), false, 0))
                : find(connection, tenantId, RunQueryStatement.among(tenantId, query, candidates, maxBytes));
    }

    private Uni<FoundRuns> find(SqlConnection connection, UUID tenantId, RunQueryStatement statement) {
        return connection.preparedQuery(statement.text())
                .execute(statement.values())
                .map(rows -> foundRuns(tenantId, rows));
    }

    /**
     * Returns the key of the last of the next {@code rows} runs, of the session where it is first in page order; empty if
     * each session has fewer. Evaluates no condition but the range of start times.
     */
    Uni<Optional<RunCursor.RunKey>> keyAt(SqlConnection connection, UUID tenantId, RunQueryParser.RunQuery query, int rows) {
        RunQueryStatement statement = RunQueryStatement.keyAt(tenantId, query, rows);
        return connection.preparedQuery(statement.text())
                .execute(statement.values())
                .map(found -> Rows.findFirst(found,
                        row -> new RunCursor.RunKey(Rows.requireInstant(row, "start_time"), row.getUUID("id"))));
    }

    private FoundRuns foundRuns(UUID tenantId, RowSet<Row> rows) {
        List<RunResponse> runs = new ArrayList<>();
        long found = 0;
        long bytes = 0;
        for (Row row : rows) {
            runs.add(RunResponseMapper.read(tenantId, row, attachmentLinks));
            found = row.getLong("found");
            bytes = row.getLong("page_size");
        }
        return new FoundRuns(runs, found > runs.size(), bytes);
    }

    /**
     * The first runs of a query.
     *
     * @param hasMore whether more runs follow
     * @param bytes size of the members of unlimited length
     */
    record FoundRuns(List<RunResponse> runs, boolean hasMore, long bytes) {
    }
}
