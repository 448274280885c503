package dev.waybill.experiment.v2;

import java.util.List;
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
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.trace.ItemsResponse;
import dev.waybill.common.api.trace.QueryThreadsRequest;
import dev.waybill.common.api.trace.ThreadPageResponse;
import dev.waybill.common.audit.AuditLogOnly;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.experiment.v2.ThreadService.TracePage;
import io.smallrye.mutiny.Uni;

/** HTTP resource for threads (conversations), version 2. */
@Path("/api/v2/threads")
@Produces(MediaType.APPLICATION_JSON)
@AuditLogOnly
@RolesAllowed(Role.MEMBERS)
@WorkspaceRequired
@Tag(name = "Threads", description = "Traces with the same thread id: session_id, thread_id or conversation_id in their metadata.")
class ThreadResource {

    private final ThreadService threads;
    private final CallerContext caller;

    ThreadResource(ThreadService threads, CallerContext caller) {
        this.threads = threads;
        this.caller = caller;
    }

    @POST
    @Path("query")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "query_threads", summary = "Query threads of a project, those with the newest trace first", description = "A thread matches if one of its traces matches all conditions. A query that exceeds the time limit responds with 422; restrict the time range first.")
    public Uni<ThreadPageResponse> query(QueryThreadsRequest request) {
        return threads.query(caller.workspace(), request);
    }

    @GET
    @Path("{thread_id}/traces")
    @Operation(operationId = "list_traces_of_thread", summary = "List the traces of a thread, oldest first")
    public Uni<ItemsResponse> traces(@RestPath("thread_id") String threadId,
            @Parameter(required = true) @RestQuery("project_id") @Nullable UUID projectId,
            @Parameter(description = "A filter on the root run of the trace (docs/filters.md).") @RestQuery @Nullable String filter,
            @Parameter(description = "Repeatable.") @RestQuery List<String> selects,
            @Parameter(description = "1 to 100; default 20.") @RestQuery("page_size") @Nullable String pageSize,
            @RestQuery @Nullable String cursor,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "project_id", "filter", "selects", "page_size", "cursor");
        if (projectId == null) {
            throw ProblemException.invalid(Violation.of("project_id", "must be given", "missing"));
        }
        return threads.traces(caller.workspace(), projectId, threadId,
                new TracePage(filter, selects, PageParameters.parseSize("page_size", pageSize, PageParameters.DEFAULT_LIMIT),
                        cursor));
    }
}
