package dev.waybill.experiment.query;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.waybill.common.api.trace.QueryRunStatsRequest;
import dev.waybill.common.api.trace.QueryRunsRequest;
import dev.waybill.common.api.trace.QueryRunsResponse;
import dev.waybill.common.api.trace.RunStatsResponse;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** Questions for runs over HTTP. They make nothing, so they take no Idempotency-Key. */
@Path("/api/v1/runs")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
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
    @Operation(operationId = "query_runs", summary = "Find runs, page by page", description = """
            One of session, id, trace, parent_run and reference_example must be given; all that is given must hold. Pages go by start
            time and id, so runs that arrive meanwhile move nothing. parent_run alone finds the children of a run that is there.
            Filters on documents read them: narrow by time first; what takes too long is a 422.""")
    public Uni<QueryRunsResponse> query(QueryRunsRequest request) {
        return queries.query(caller.workspace(), request);
    }

    @POST
    @Path("stats")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "get_run_stats", summary = "Calculate statistics of runs", description = """
            Conditions as in a query for runs. All runs that match are read: what takes too long is a 422.""")
    public Uni<RunStatsResponse> stats(QueryRunStatsRequest request) {
        return queries.stats(caller.workspace(), request);
    }
}
