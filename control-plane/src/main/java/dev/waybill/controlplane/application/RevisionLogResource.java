package dev.waybill.controlplane.application;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.RevisionLogsResponse;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.controlplane.revision.log.RevisionLog;
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
    private final ServerLogService serverLog;
    private final ServerLogStream serverStream;
    private final CallerContext context;
    private final RoutingContext request;

    RevisionLogResource(RevisionLog log, RevisionLogStream stream, ServerLogService serverLog, ServerLogStream serverStream,
            CallerContext context, RoutingContext request) {
        this.log = log;
        this.stream = stream;
        this.serverLog = serverLog;
        this.serverStream = serverStream;
        this.context = context;
        this.request = request;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "get_revision_logs", summary = "Read a revision's log", description = """
            The output of the build and the deployment, oldest first; continue with `next_offset`. With `Accept: text/event-stream` \
            the log is streamed as server-sent events while the revision is in progress: `log` for each line, then `end`; \
            `Last-Event-ID` resumes.

            With `phase=server`, the output of the revision's application: the newest lines, or, with `offset`, those from a \
            `next_offset` on, which is no number of lines there. The stream continues until the client disconnects; it sends \
            the newest lines first. A line with the stream `system` reports how many lines were removed or left out. Values of \
            the revision's secrets are replaced by `***`.""")
    public Uni<RevisionLogsResponse> get(@RestPath("deployment_id") UUID deploymentId, @RestPath("revision_id") UUID id,
            @Parameter(description = "server for the output of the application; absent for the build and the deployment.", schema = @Schema(type = SchemaType.STRING, enumeration = ServerLogParameters.PHASE)) @QueryParam("phase") @Nullable String phase,
            @Parameter(description = "Maximum number of lines; default 100.", schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "1000")) @QueryParam("limit") @Nullable String limit,
            @Parameter(description = "Number of lines to skip; with phase=server the next_offset of a response.", schema = @Schema(type = SchemaType.INTEGER, minimum = "0")) @QueryParam("offset") @Nullable String offset,
            @Parameter(description = "Part of the line, in any letter case; with phase=server.") @QueryParam("q") @Nullable String text,
            @Parameter(description = "Least severe level: trace, debug, info, warn or error; lines without a known level are omitted. With phase=server.") @QueryParam("level") @Nullable String level,
            @Parameter(description = "Earliest time; with phase=server.") @QueryParam("since") @Nullable String since,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "phase", "limit", "offset", "q", "level", "since");
        ServerLogParameters selection = new ServerLogParameters(limit, offset, text, level, since);
        if (selection.isServerLog(phase)) {
            return serverLog.page(context.workspace(), deploymentId, id, selection.page());
        }
        PageParameters start = range(limit, offset);
        return log.page(context.workspace(), deploymentId, id, start.offset(), start.limit());
    }

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS + ";qs=0.1")
    @Operation(hidden = true)
    public Uni<Void> follow(@RestPath("deployment_id") UUID deploymentId, @RestPath("revision_id") UUID id,
            @QueryParam("phase") @Nullable String phase, @QueryParam("limit") @Nullable String limit,
            @QueryParam("offset") @Nullable String offset, @QueryParam("q") @Nullable String text,
            @QueryParam("level") @Nullable String level, @QueryParam("since") @Nullable String since,
            @HeaderParam("Last-Event-ID") @Nullable String lastEventId) {
        ServerLogParameters selection = new ServerLogParameters(limit, offset, text, level, since);
        if (selection.isServerLog(phase)) {
            return serverStream.follow(context.workspace(), deploymentId, id, selection.stream(lastEventId), request);
        }
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
