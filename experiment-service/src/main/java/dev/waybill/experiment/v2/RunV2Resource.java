package dev.waybill.experiment.v2;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.ItemsResponse;
import dev.waybill.common.api.trace.QueryRunsV2Request;
import dev.waybill.common.audit.AuditLogOnly;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.experiment.query.SearchRedirect;
import io.smallrye.mutiny.Uni;

/** HTTP resource for runs, version 2. */
@Path("/api/v2/runs")
@Produces(MediaType.APPLICATION_JSON)
@AuditLogOnly
@RolesAllowed(Role.MEMBERS)
@WorkspaceRequired
@Tag(name = "Runs")
class RunV2Resource {

    private final RunV2Service runs;
    private final CallerContext caller;

    RunV2Resource(RunV2Service runs, CallerContext caller) {
        this.runs = runs;
        this.caller = caller;
    }

    @POST
    @Path("query")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "query_runs_v2", summary = "Query runs of projects, newest first", description = "All conditions must match. A search of many runs ends after some seconds with the runs found so far; next_cursor continues it. Queries by ids or trace_id that exceed the time limit respond with 422.")
    @APIResponseSchema(value = ItemsResponse.class, responseCode = "200")
    @APIResponse(responseCode = "307", description = "No run was found yet: Location continues the search with the same body.")
    public Uni<RestResponse<ItemsResponse>> query(QueryRunsV2Request request,
            @Parameter(hidden = true) @RestQuery @Nullable String cursor) {
        return runs.query(caller.workspace(), request.withCursor(cursor))
                .map(page -> SearchRedirect.respond(page, page.items().isEmpty() ? page.nextCursor() : null));
    }

    @GET
    @Path("{run_id}")
    @Operation(operationId = "get_run_v2", summary = "Get the selected members of a run")
    @APIResponse(responseCode = "200", description = "The selected members; only id if none is selected.", content = @Content(schema = @Schema(type = SchemaType.OBJECT)))
    public Uni<Map<String, @Nullable Object>> get(@RestPath("run_id") UUID runId,
            @Parameter(required = true) @RestQuery("project_id") @Nullable UUID projectId,
            @Parameter(description = "Repeatable.") @RestQuery List<String> selects,
            @Parameter(description = "Start time of the run; ignored.") @RestQuery("start_time") @Nullable String startTime,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "project_id", "selects", "start_time");
        if (projectId == null) {
            throw ProblemException.invalid(Violation.of("project_id", "must be given", "missing"));
        }
        return runs.get(caller.workspace(), projectId, runId, selects);
    }
}
