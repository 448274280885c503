package dev.waybill.experiment.query;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;

import jakarta.inject.Singleton;

import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.RunStatsByTimeResponse;
import dev.waybill.common.api.trace.RunStatsByTimeResponse.RunStatsBucket;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.query.ConditionalJson.Client;
import dev.waybill.experiment.query.RunStatsByTimeRepository.RunSpan;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Calculates statistics of a session's runs by time, within the limits of queries. */
@Singleton
@RegisterForReflection(targets = { RunStatsByTimeResponse.class, RunStatsBucket.class })
class RunStatsByTimeService {

    private final RunQueryService queries;
    private final RunStatsByTimeRepository statistics;
    private final ConditionalJson json;

    RunStatsByTimeService(RunQueryService queries, RunStatsByTimeRepository statistics, ConditionalJson json) {
        this.queries = queries;
        this.statistics = statistics;
        this.json = json;
    }

    /** Returns the statistics, or 304 if the client has them; responds with 404 if the session does not exist. */
    Uni<RestResponse<byte[]>> get(UUID tenantId, RunStatsByTimeQuery query, Client client) {
        return queries.read(tenantId, connection -> statistics.findSpan(connection, tenantId, query.sessionId())
                .map(found -> found.orElseThrow(() -> ProblemException.notFound("session", query.sessionId())))
                .chain(span -> get(connection, tenantId, query, span)))
                .chain(found -> json.respond(found, client));
    }

    private Uni<RunStatsByTimeResponse> get(SqlConnection connection, UUID tenantId, RunStatsByTimeQuery query, RunSpan span) {
        Instant start = query.from() == null ? span.first() : query.from();
        Instant end = query.to() == null && span.last() != null ? span.last().plus(1, ChronoUnit.MICROS) : query.to();
        if (start == null || end == null || !start.isBefore(end)) {
            return Uni.createFrom().item(response(query, span, start, end, null, List.of()));
        }
        BucketWidth width = query.width(start, end);
        RunStatsStatement statement = RunStatsStatement.byTime(tenantId, query.runs(tenantId, start, end), width);
        Uni<Map<Long, RunStatsBucket>> summarized = query.canUseSummaries(width)
                ? statistics.findSummarized(connection, tenantId, query, width)
                : Uni.createFrom().item(Map.of());
        return summarized
                .chain(found -> found.isEmpty() ? statistics.find(connection, statement, width) : Uni.createFrom().item(found))
                .map(found -> response(query, span, start, end, width, all(found, width, start, end)));
    }

    private static List<RunStatsBucket> all(Map<Long, RunStatsBucket> found, BucketWidth width, Instant start, Instant end) {
        long first = width.index(start);
        return LongStream.range(first, first + width.count(start, end))
                .mapToObj(index -> found.getOrDefault(index, RunStatsBucket.empty(width.start(index))))
                .toList();
    }

    private static RunStatsByTimeResponse response(RunStatsByTimeQuery query, RunSpan span, @Nullable Instant start,
            @Nullable Instant end, @Nullable BucketWidth width, List<RunStatsBucket> buckets) {
        return new RunStatsByTimeResponse(query.sessionId(), start, end, span.first(), span.last(),
                width == null ? null : width.wireName(), width == null ? null : Long.valueOf(width.seconds()), buckets);
    }
}
