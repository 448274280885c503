package dev.waybill.experiment.query;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.QueryRunStatsRequest;
import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.api.trace.QueryRunsResponse;
import dev.waybill.common.api.trace.QueryRunsResponse.Cursors;
import dev.waybill.common.api.trace.RunResponse;
import dev.waybill.common.api.trace.RunStatsResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.limit.KeyedSemaphore;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.lake.LakeReader;
import dev.waybill.experiment.query.RunSearch.RunPage;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Runs queries on runs with limits on concurrency, time and page size. */
@Singleton
public class RunQueryService {

    /** A page ends early when its runs exceed this size; it has at least one run. */
    static final long MAX_PAGE_BYTES = 4 * 1024 * 1024;

    private final Database database;
    private final RunQueryRepository runs;
    private final RunStatsRepository statistics;
    private final RunSearch search;
    private final RunQueryConfig config;
    private final Blocking blocking;
    private final KeyedSemaphore permits;

    RunQueryService(Database database, RunQueryRepository runs, RunStatsRepository statistics, RunQueryConfig config,
            Blocking blocking, LakeReader lake,
            @ConfigProperty(name = "quarkus.datasource.reactive.max-size") int connections) {
        this.database = database;
        this.runs = runs;
        this.statistics = statistics;
        this.search = new RunSearch(database, runs, new LakeSearch(lake, database, runs), RunSearch.Limits.of(config),
                System::nanoTime);
        this.config = config;
        this.blocking = blocking;
        this.permits = new KeyedSemaphore(Math.max(1, connections / 2));
    }

    /**
     * Returns one page of runs. A page of a long search ends early; only with {@code partial} or after the statement timeout
     * it may contain no runs although more pages follow.
     */
    public Uni<QueryRunsResponse> query(UUID tenantId, QueryRunsRequest request) {
        RunQueryParser.RunQuery query = RunQueryParser.parse(tenantId, request);
        boolean mayBeEmpty = Boolean.TRUE.equals(request.partial());
        return permits.withPermit(blocking, () -> search.page(tenantId, query, mayBeEmpty))
                .onFailure(RunSearch::isTimeout).transform(failure -> timeoutProblem())
                .map(page -> response(tenantId, query, page));
    }

    /** Returns one page of runs; responds with 422 instead of a page without runs that is not the last one. */
    public Uni<QueryRunsResponse> queryNonEmpty(UUID tenantId, QueryRunsRequest request) {
        return query(tenantId, request).invoke(page -> {
            if (page.runs().isEmpty() && page.cursors().next() != null) {
                throw timeoutProblem();
            }
        });
    }

    /** Returns the statistics of all runs that match. */
    Uni<RunStatsResponse> stats(UUID tenantId, QueryRunStatsRequest request) {
        RunQueryParser.RunQuery query = RunQueryParser.parse(tenantId, request.toQuery());
        return read(tenantId, connection -> statistics.find(connection, tenantId, query));
    }

    /** Executes a read with the limits of queries; responds with 422 if it exceeds the statement timeout. */
    public <T> Uni<T> read(UUID tenantId, Function<SqlConnection, Uni<T>> statement) {
        return permits
                .withPermit(blocking, () -> database.inWorkspaceSnapshot(tenantId,
                        connection -> runs.prepareTransaction(connection, config.statementTimeout())
                                .chain(() -> statement.apply(connection))))
                .onFailure(RunSearch::isTimeout).transform(failure -> timeoutProblem());
    }

    private static QueryRunsResponse response(UUID tenantId, RunQueryParser.RunQuery query, RunPage page) {
        String next = page.next().map(new RunCursor(tenantId, query.conditions(), query.descending())::encode).orElse(null);
        return new QueryRunsResponse(page.runs().stream().map(run -> selectedMembers(query, run)).toList(), new Cursors(next),
                page.searchedUntil().orElse(null));
    }

    private static Map<String, @Nullable Object> selectedMembers(RunQueryParser.RunQuery query, RunResponse run) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        query.select().forEach(field -> members.put(field.wireName(), field.of(run)));
        return members;
    }

    private ProblemException timeoutProblem() {
        return new ProblemException(CommonProblem.INVALID,
                "The query exceeded the time limit of " + config.statementTimeout().toSeconds()
                        + " s; restrict it by session, start_time and end_time, or simplify its filters.");
    }
}
