package dev.waybill.experiment.query;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.QueryRunStatsRequest;
import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.api.trace.QueryRunsResponse;
import dev.waybill.common.api.trace.QueryRunsResponse.Cursors;
import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.api.trace.RunStatsResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.reactive.FairSemaphore;
import dev.waybill.experiment.query.RunQueryRepository.RunPage;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.pgclient.PgException;

/** Answers questions for runs, some at once, each within its time and its size. */
@Singleton
public class RunQueryService {

    private static final String TIME_IS_UP = "57014";

    private final Database database;
    private final RunQueryRepository runs;
    private final RunQueryConfig config;
    private final FairSemaphore turns;

    RunQueryService(Database database, RunQueryRepository runs, RunQueryConfig config, Blocking blocking) {
        this.database = database;
        this.runs = runs;
        this.config = config;
        this.turns = new FairSemaphore(blocking, config.atOnce());
    }

    /** The page that is asked for. */
    public Uni<QueryRunsResponse> query(UUID tenantId, QueryRunsRequest request) {
        RunQuery query = RunQueryParser.read(tenantId, request);
        long maxBytes = config.maxPageSize().asLongValue();
        return read(tenantId, connection -> runs.page(connection, tenantId, query, maxBytes))
                .map(page -> response(tenantId, query, page));
    }

    /** Statistics of the runs that are asked for. */
    Uni<RunStatsResponse> stats(UUID tenantId, QueryRunStatsRequest request) {
        RunStatsStatement statement = RunStatsStatement.of(tenantId, RunQueryParser.read(tenantId, request.toQuery()));
        return read(tenantId, connection -> runs.stats(connection, statement));
    }

    /** Reads when its turn has come and as long as a query may take; 422 after that. */
    public <T> Uni<T> read(UUID tenantId, Function<SqlConnection, Uni<T>> reading) {
        return turns.withPermit(() -> database.inWorkspace(tenantId, connection -> runs.onlyLook(connection, config.timeLimit())
                .chain(() -> reading.apply(connection))))
                .onFailure(RunQueryService::isTimeUp).transform(failure -> tooSlow());
    }

    private static QueryRunsResponse response(UUID tenantId, RunQuery query, RunPage page) {
        String next = null;
        if (page.hasMore()) {
            RunResponse last = page.runs().getLast();
            next = new RunCursor(tenantId, query.conditions(), query.descending())
                    .write(new RunKey(last.startTime(), last.id()));
        }
        return new QueryRunsResponse(page.runs().stream().map(run -> selected(query, run)).toList(), new Cursors(next));
    }

    private static Map<String, @Nullable Object> selected(RunQuery query, RunResponse run) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        query.select().forEach(field -> members.put(field.wireName(), field.of(run)));
        return members;
    }

    private static boolean isTimeUp(Throwable failure) {
        return failure instanceof PgException refused && TIME_IS_UP.equals(refused.getSqlState());
    }

    private ProblemException tooSlow() {
        return new ProblemException(CommonProblem.INVALID, "This was not found within " + config.timeLimit().toSeconds()
                + " s; narrow it by session, start_time and end_time, or ask for less in its filters.");
    }
}
