package dev.waybill.experiment.retention;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.waybill.common.api.trace.RetentionResponse;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** HTTP resource for the retention of runs. */
@Path("/api/v1/retention")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Sessions")
class RetentionResource {

    private final RetentionService retention;
    private final CallerContext caller;

    RetentionResource(RetentionService retention, CallerContext caller) {
        this.retention = retention;
        this.caller = caller;
    }

    @GET
    @Operation(operationId = "get_retention", summary = "Get the retention of runs by trace tier", description = """
            A run is deleted when both its start and its arrival are older than the retention of its session's trace_tier, which \
            PATCH /sessions/{session_id} changes. The operator configures the retentions.""")
    public Uni<RetentionResponse> get() {
        return retention.describe(caller.workspace());
    }
}
