package dev.waybill.experiment.session;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.CreateSessionRequest;
import dev.waybill.common.api.trace.IntakeResponse;
import dev.waybill.common.api.trace.SessionResponse;
import dev.waybill.common.api.trace.UpdateSessionRequest;
import dev.waybill.common.filter.MetadataFilter;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** HTTP resource for sessions. */
@Path("/api/v1/sessions")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Sessions", description = "Tracing projects and experiments.")
class SessionResource {

    private static final String STATS = "Whether to calculate the statistics; otherwise they are null. Percentiles of"
            + " sessions with more than 100 runs in an hour are estimates within 1 %; all other figures are exact.";

    private final SessionService sessions;
    private final SessionReader reader;
    private final SessionRemovalService removals;
    private final CallerContext caller;

    SessionResource(SessionService sessions, SessionReader reader, SessionRemovalService removals, CallerContext caller) {
        this.sessions = sessions;
        this.reader = reader;
        this.removals = removals;
        this.caller = caller;
    }

    @POST
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "create_session", summary = "Create a session", description = "Responds with 409 if the name is taken, unless upsert is true: then the existing session is updated with the request and returned. With reference_dataset_id the session is an experiment and gets the next test_run_number of its dataset; responds with 404 if the dataset does not exist.")
    public Uni<SessionResponse> create(CreateSessionRequest request, @RestQuery @DefaultValue("false") boolean upsert) {
        return sessions.create(caller.workspace(), request, upsert);
    }

    @GET
    @Operation(operationId = "list_sessions", summary = "List sessions, newest first by default")
    @APIResponse(responseCode = "200", description = "The sessions; X-Pagination-Total has their total number.", content = @Content(schema = @Schema(implementation = SessionResponse[].class)))
    public Uni<RestResponse<List<SessionResponse>>> list(@RestQuery @Nullable String name,
            @RestQuery("name_contains") @Nullable String nameContains,
            @RestQuery("reference_dataset") List<UUID> referenceDataset,
            @RestQuery("id") List<UUID> id,
            @RestQuery("reference_free") @DefaultValue("false") boolean referenceFree,
            @Parameter(schema = @Schema(type = SchemaType.STRING, enumeration = { "longlived",
                    "shortlived" })) @RestQuery("trace_tier") @Nullable String traceTier,
            @Parameter(description = "A JSON object; returns sessions whose metadata contains its members.") @RestQuery @Nullable String metadata,
            @Parameter(schema = @Schema(type = SchemaType.STRING, enumeration = { "start_time", "name", "last_run_start_time",
                    "latency_p50", "latency_p99", "error_rate", "runs_count" })) @RestQuery("sort_by") @Nullable String sortBy,
            @RestQuery("sort_by_desc") @DefaultValue("true") boolean sortByDesc,
            @Parameter(description = STATS) @RestQuery("include_stats") @DefaultValue("false") boolean includeStats,
            @RestQuery @Nullable String limit,
            @RestQuery @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "name", "name_contains", "reference_dataset", "id", "reference_free", "trace_tier",
                "metadata", "sort_by", "sort_by_desc", "include_stats", "limit", "offset");
        SessionQuery query = new SessionQuery(name, nameContains, referenceDataset, id, referenceFree, traceTier,
                MetadataFilter.parse(metadata),
                SessionQuery.SessionOrder.parse(sortBy), sortByDesc,
                PageParameters.parse(limit, offset, PageParameters.MAX_LIMIT));
        return reader.list(caller.workspace(), query, includeStats)
                .map(page -> RestResponse.ResponseBuilder.ok(page.items())
                        .header(Page.TOTAL_HEADER, page.total())
                        .build());
    }

    @GET
    @Path("{session_id}")
    @Operation(operationId = "get_session", summary = "Get a session")
    public Uni<SessionResponse> get(@RestPath("session_id") UUID sessionId,
            @Parameter(description = STATS) @RestQuery("include_stats") @DefaultValue("false") boolean includeStats) {
        return reader.get(caller.workspace(), sessionId, includeStats);
    }

    @PATCH
    @Path("{session_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "update_session", summary = "Update a session; null leaves a member unchanged", description = "A new trace_tier applies to all runs of the session, also to stored ones, from the next retention run, which follows within an hour.")
    public Uni<SessionResponse> update(@RestPath("session_id") UUID sessionId, UpdateSessionRequest request) {
        return sessions.update(caller.workspace(), sessionId, request);
    }

    @DELETE
    @Path("{session_id}")
    @Operation(operationId = "delete_session", summary = "Delete a session and its runs")
    @APIResponse(responseCode = "202", description = "The session is hidden; its runs are deleted in the background.", content = @Content(schema = @Schema(implementation = IntakeResponse.class)))
    public Uni<RestResponse<IntakeResponse>> delete(@RestPath("session_id") UUID sessionId) {
        return removals.remove(caller.workspace(), sessionId)
                .map(ignored -> RestResponse.status(Response.Status.ACCEPTED, new IntakeResponse("Session deleted")));
    }
}
