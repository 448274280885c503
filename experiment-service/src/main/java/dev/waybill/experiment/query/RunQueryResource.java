package dev.waybill.experiment.query;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.QueryRunStatsRequest;
import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.api.trace.QueryRunsResponse;
import dev.waybill.common.api.trace.RunStatsResponse;
import dev.waybill.common.audit.AuditLogOnly;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** HTTP resource for queries on runs. The POST operations create nothing, so they accept no Idempotency-Key. */
@Path("/api/v1/runs")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@AuditLogOnly
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Runs")
class RunQueryResource {

    private final RunQueryService queries;
    private final CallerContext caller;

    RunQueryResource(RunQueryService queries, CallerContext caller) {
        this.queries = queries;
        this.caller = caller;
    }

    @POST
    @Path("query")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "query_runs", summary = "Query runs", description = """
            At least one of session, id, trace, parent_run and reference_example must be given; all conditions must match. Pages are
            ordered by start time and id, so runs that arrive between requests do not shift them. parent_run alone returns the
            children of an existing run. Filters on inputs, outputs and metadata read these documents: restrict the time range
            first. A search of many runs of sessions ends after some seconds with the runs found so far: searched_until is
            the start time of the last run that was searched, and cursors.next continues the search. Other queries that exceed the time limit respond with 422.""")
    @APIResponseSchema(value = QueryRunsResponse.class, responseCode = "200")
    @APIResponse(responseCode = "307", description = "No run was found yet: Location continues the search with the same body. Only without partial.")
    public Uni<RestResponse<QueryRunsResponse>> query(QueryRunsRequest request,
            @Parameter(hidden = true) @RestQuery @Nullable String cursor) {
        return queries.query(caller.workspace(), request.withCursor(cursor))
                .map(page -> SearchRedirect.respond(page,
                        page.runs().isEmpty() && !Boolean.TRUE.equals(request.partial()) ? page.cursors().next() : null));
    }

    @POST
    @Path("stats")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "get_run_stats", summary = "Calculate statistics of runs", description = """
            Accepts the conditions of a query for runs and reads all runs that match. A query that exceeds the time limit
            responds with 422. Statistics of one session without further conditions than is_root, start_time and end_time are merged
            from hourly summaries: percentiles of hours with more than 100 runs are estimates within 1 %, all other figures are
            exact.""")
    public Uni<RunStatsResponse> stats(QueryRunStatsRequest request) {
        return queries.stats(caller.workspace(), request);
    }
}
