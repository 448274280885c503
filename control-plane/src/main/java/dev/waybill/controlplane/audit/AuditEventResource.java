package dev.waybill.controlplane.audit;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
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
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.audit.AuditEventPageResponse;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import dev.waybill.controlplane.audit.AuditEventQuery.Parameters;
import io.smallrye.mutiny.Uni;

/** Events of the audit log (docs/operations/observability.md "Audit log"). */
@Path("/v1/audit-events")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.ADMINS)
@Tag(name = "Accounts")
class AuditEventResource {

    private final AuditEventService events;
    private final CallerContext context;

    AuditEventResource(AuditEventService events, CallerContext context) {
        this.events = events;
        this.context = context;
    }

    @GET
    @Operation(operationId = "list_audit_events", summary = "List events of the audit log", description = """
            Newest first: requests of all services that may have changed something in the workspace, including refused ones. A \
            key of the whole organization also lists requests that named no workspace. Reads by POST, ingested runs and \
            feedback are not stored. Requires the role admin.""")
    public Uni<AuditEventPageResponse> list(
            @Parameter(description = "Id of the only event to list.") @QueryParam("event_id") @Nullable String eventId,
            @Parameter(description = "Id of an API key, or subject of a bearer token.") @QueryParam("actor_id") @Nullable String actorId,
            @QueryParam("resource_id") @Nullable String resourceId,
            @Parameter(description = "done, replayed, refused or failed; several are separated by commas.") @QueryParam("outcome") @Nullable String outcome,
            @Parameter(description = "POST, PUT, PATCH or DELETE; several are separated by commas.") @QueryParam("method") @Nullable String method,
            @Parameter(description = "Earliest time.") @QueryParam("start_time") @Nullable String startTime,
            @Parameter(description = "Time before which the events occurred.") @QueryParam("end_time") @Nullable String endTime,
            @Parameter(description = "Maximum number of events; default 20.", schema = @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "100")) @QueryParam("limit") @Nullable String limit,
            @Parameter(description = "next_cursor of the previous page; other parameters must be unchanged.") @QueryParam("cursor") @Nullable String cursor,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "event_id", "actor_id", "resource_id", "outcome", "method", "start_time", "end_time",
                "limit", "cursor");
        AuditEventQuery query = AuditEventQuery
                .parse(new Parameters(eventId, actorId, resourceId, outcome, method, startTime, endTime, limit, cursor));
        return events.list(context.caller(), context.workspace(), query);
    }
}
