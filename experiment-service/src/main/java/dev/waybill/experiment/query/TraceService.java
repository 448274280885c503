package dev.waybill.experiment.query;

import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jboss.resteasy.reactive.RestResponse;

import dev.waybill.common.api.trace.TraceResponse;
import dev.waybill.common.api.trace.TraceResponse.TraceRun;
import dev.waybill.common.limit.KeyedSemaphore;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.experiment.query.ConditionalJson.Client;
import dev.waybill.experiment.query.TraceRepository.TraceRuns;
import dev.waybill.experiment.query.TraceRepository.TraceSession;
import dev.waybill.experiment.query.TraceRepository.TraceVersion;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Reads traces as trees of runs without values, with limits on size and memory. */
@Singleton
@RegisterForReflection(targets = { TraceResponse.class, TraceRun.class })
class TraceService {

    static final int MAX_RUNS = 20_000;
    /** Larger traces are read one at a time, because each needs up to 40 MB of memory. */
    private static final int MAX_SMALL_RUNS = 2_000;

    private final RunQueryService queries;
    private final TraceRepository traces;
    private final ConditionalJson json;
    private final Blocking blocking;
    private final KeyedSemaphore largeTraces = new KeyedSemaphore(1);

    TraceService(RunQueryService queries, TraceRepository traces, ConditionalJson json, Blocking blocking) {
        this.queries = queries;
        this.traces = traces;
        this.json = json;
        this.blocking = blocking;
    }

    /** Returns a trace, or 304 if the client has its current version; responds with 404 if it has no runs. */
    Uni<RestResponse<byte[]>> get(UUID tenantId, UUID traceId, Client client) {
        return queries.read(tenantId, connection -> traces.version(connection, tenantId, traceId))
                .invoke(version -> {
                    if (version.runs() == 0) {
                        throw ProblemException.notFound("trace", traceId);
                    }
                })
                .chain(version -> client.known().contains(tag(version))
                        ? Uni.createFrom().item(ConditionalJson.notModified(tag(version)))
                        : respond(tenantId, traceId, version, client));
    }

    private Uni<RestResponse<byte[]>> respond(UUID tenantId, UUID traceId, TraceVersion version, Client client) {
        return version.runs() > MAX_SMALL_RUNS
                ? largeTraces.withPermit(tenantId, blocking, () -> read(tenantId, traceId, version, client))
                : read(tenantId, traceId, version, client);
    }

    // The runs are read after the version: a change in between makes the next request with this tag return the change.
    private Uni<RestResponse<byte[]>> read(UUID tenantId, UUID traceId, TraceVersion version, Client client) {
        return queries.read(tenantId, connection -> trace(connection, tenantId, traceId, version))
                .chain(trace -> json.respond(tag(version), trace, client));
    }

    private Uni<TraceResponse> trace(SqlConnection connection, UUID tenantId, UUID traceId, TraceVersion version) {
        return traces.list(connection, tenantId, traceId, MAX_RUNS)
                .chain(found -> {
                    UUID session = found.session().orElseThrow(() -> ProblemException.notFound("trace", traceId));
                    return traces.findSession(connection, tenantId, session)
                            .map(one -> trace(traceId, one, version, found));
                });
    }

    private static TraceResponse trace(UUID traceId, TraceSession session, TraceVersion version, TraceRuns found) {
        List<TraceRun> runs = found.runs();
        long count = Math.max(version.runs(), runs.size());
        return new TraceResponse(traceId, session.id(), session.name(), session.datasetId(), found.rootExample(), count,
                count > runs.size(), TraceTree.depthFirst(runs));
    }

    private static String tag(TraceVersion version) {
        return "\"2." + version.runs() + "." + version.hash() + "\"";
    }
}
