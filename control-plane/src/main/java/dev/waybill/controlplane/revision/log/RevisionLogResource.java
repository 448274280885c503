package dev.waybill.controlplane.revision.log;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.RevisionLogsResponse;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Logs of revisions (contract.md "Deployment management"). */
@Path("/v2/deployments/{deployment_id}/revisions/{revision_id}/logs")
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Deployments (v2)")
class RevisionLogResource {

    private static final int DEFAULT_LIMIT = 100;

    private final RevisionLog log;
    private final RevisionLogStream stream;
    private final CallerContext context;
    private final RoutingContext request;

    RevisionLogResource(RevisionLog log, RevisionLogStream stream, CallerContext context, RoutingContext request) {
        this.log = log;
        this.stream = stream;
        this.context = context;
        this.request = request;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "get_revision_logs", summary = "Read a revision's log", description = """
            The output of the build and the deployment, oldest first; continue with `next_offset`. With `Accept: text/event-stream` \
            the log is streamed as server-sent events while the revision is in progress: `log` for each line, then `end`; \
            `Last-Event-ID` resumes.""")
    public Uni<RevisionLogsResponse> get(@RestPath("deployment_id") UUID deploymentId, @RestPath("revision_id") UUID id,
            @Parameter(description = "Maximum number of lines, 1 to 1000; default 100.") @QueryParam("limit") @Nullable String limit,
            @Parameter(description = "Number of lines to skip.") @QueryParam("offset") @Nullable String offset) {
        PageParameters start = range(limit, offset);
        return log.page(context.workspace(), deploymentId, id, start.offset(), start.limit());
    }

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS + ";qs=0.1")
    @Operation(hidden = true)
    public Uni<Void> follow(@RestPath("deployment_id") UUID deploymentId, @RestPath("revision_id") UUID id,
            @QueryParam("offset") @Nullable String offset,
            @HeaderParam("Last-Event-ID") @Nullable String lastEventId) {
        PageParameters start = lastEventId == null ? range(null, offset) : after(lastEventId);
        return stream.follow(context.workspace(), deploymentId, id, start.offset(), request.response());
    }

    private static PageParameters range(@Nullable String limit, @Nullable String offset) {
        return PageParameters.parse(limit, offset, DEFAULT_LIMIT, RevisionLog.MAX_LIMIT);
    }

    /** Returns the range after the event with that id; an event's id is the number of lines up to and including it. */
    private static PageParameters after(String lastEventId) {
        try {
            return range(null, lastEventId);
        } catch (ProblemException e) {
            throw ProblemException.invalid(Violation.of("Last-Event-ID", "must be the id of an event of this log", "invalid"));
        }
    }
}
