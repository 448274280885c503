package dev.waybill.experiment.gate;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

import dev.waybill.common.api.experiment.GateRequest;
import dev.waybill.common.api.experiment.GateResponse;
import dev.waybill.common.audit.AuditLogOnly;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** HTTP resource for quality gates. */
@Path("/api/v1/datasets/{dataset_id}/gate")
@WorkspaceRequired
@AuditLogOnly
@RolesAllowed(Role.MEMBERS)
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Experiments", description = "Experiments that ran outside of Waybill.")
class GateResource {

    private final GateService gates;
    private final CallerContext caller;

    GateResource(GateService gates, CallerContext caller) {
        this.gates = gates;
        this.caller = caller;
    }

    @POST
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "gate_experiments", summary = "Evaluate whether experiments pass", description = """
            For pipelines. The status is 200 whether the experiments pass or fail; "passed" has the result. With \
            Accept: text/markdown the response is the summary alone, whose first line is "## Passed" or "## Failed".""")
    @APIResponse(responseCode = "200", description = "Whether the experiments passed, and the reasons if they failed.", content = {
            @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = GateResponse.class)),
            @Content(mediaType = "text/markdown", schema = @Schema(implementation = String.class)) })
    public Uni<GateResponse> evaluate(@RestPath("dataset_id") UUID datasetId, GateRequest request) {
        return gates.evaluate(caller.workspace(), datasetId, request);
    }

    /** Returns the summary as Markdown; {@code ContentNegotiationFilter} routes requests to this path. */
    @POST
    @Path("markdown")
    @Produces("text/markdown; charset=utf-8")
    @Operation(hidden = true)
    public Uni<String> summarize(@RestPath("dataset_id") UUID datasetId, GateRequest request) {
        return gates.evaluate(caller.workspace(), datasetId, request).map(GateResponse::summary);
    }
}
