package dev.waybill.experiment.comparison;

import java.util.UUID;
import java.util.concurrent.Callable;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;

import org.jboss.resteasy.reactive.RestResponse;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.api.experiment.ComparisonResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.negotiation.IfNoneMatch;
import dev.waybill.common.reactive.Blocking;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Compares experiments of one dataset. */
@Singleton
class ComparisonService {

    private final Database database;
    private final ComparisonScopeService scopes;
    private final ExperimentChangeRepository changes;
    private final ComparisonPartLoader parts;
    private final Blocking blocking;
    private final ObjectMapper json;

    ComparisonService(Database database, ComparisonScopeService scopes, ExperimentChangeRepository changes,
            ComparisonPartLoader parts, Blocking blocking, ObjectMapper json) {
        this.database = database;
        this.scopes = scopes;
        this.changes = changes;
        this.parts = parts;
        this.blocking = blocking;
        this.json = json;
    }

    /** Returns the requested parts of the comparison, or 304 if the client knows their entity tag. */
    Uni<RestResponse<ComparisonResponse>> compare(UUID tenantId, UUID datasetId, CompareExperimentsRequest request,
            IfNoneMatch known) {
        ComparisonQuery query = ComparisonQuery.of(request);
        return database.inWorkspaceSnapshot(tenantId, connection -> scopes.scope(connection, tenantId, datasetId, request)
                .invoke(scope -> CompareExperimentsValidator.requireCompared(request, scope))
                .chain(scope -> changes.find(connection, scope))
                .chain(state -> load(connection, state, query, known)))
                .chain(response -> blocking.call(response));
    }

    private Uni<Callable<RestResponse<ComparisonResponse>>> load(SqlConnection connection, ComparisonState state,
            ComparisonQuery query, IfNoneMatch known) {
        String tag = state.entityTag(query);
        if (known.contains(tag)) {
            Callable<RestResponse<ComparisonResponse>> notModified = () -> withTag(
                    RestResponse.ResponseBuilder.create(RestResponse.Status.NOT_MODIFIED), tag);
            return Uni.createFrom().item(notModified);
        }
        return parts.load(connection, state, query)
                .map(loaded -> () -> withTag(RestResponse.ResponseBuilder.ok(loaded.toResponse(json)), tag));
    }

    // Averages of floating-point numbers can differ in their last digits, so the tag is a weak one.
    private static RestResponse<ComparisonResponse> withTag(RestResponse.ResponseBuilder<ComparisonResponse> response,
            String tag) {
        return response.header(HttpHeaders.ETAG, "W/" + tag)
                .header(HttpHeaders.CACHE_CONTROL, "private, no-cache")
                .build();
    }
}
