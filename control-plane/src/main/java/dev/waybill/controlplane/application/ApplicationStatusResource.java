package dev.waybill.controlplane.application;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

import dev.waybill.common.api.deployment.ApplicationStatusResponse;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** The state of running applications. */
@Path("/v2/deployments/{deployment_id}/status")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Deployments (v2)")
class ApplicationStatusResource {

    private final ApplicationStatusService status;
    private final CallerContext context;

    ApplicationStatusResource(ApplicationStatusService status, CallerContext context) {
        this.status = status;
        this.context = context;
    }

    @GET
    @Operation(operationId = "get_deployment_status", summary = "Measure a deployment's application", description = """
            Restarts, CPU, memory and requests of the active revision's application at this moment, as far as the engine knows \
            them: the local engine all of them; Kubernetes no requests, and CPU and memory only with the metrics API.""")
    public Uni<ApplicationStatusResponse> get(@RestPath("deployment_id") UUID deploymentId) {
        return status.get(context.workspace(), deploymentId);
    }
}
