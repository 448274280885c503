package dev.waybill.controlplane.deployment;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.CreateDeploymentRequest;
import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.page.Resources;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** Deployments (interface.md 2.2 and 4.1, contract.md "Deployment management"). */
@Path("/v2/deployments")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Deployments (v2)", description = "Applications deployed from repositories or images.")
class DeploymentResource {

    private final DeploymentService deployments;
    private final CallerContext context;

    DeploymentResource(DeploymentService deployments, CallerContext context) {
        this.deployments = deployments;
        this.context = context;
    }

    @POST
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    @Operation(operationId = "create_deployment", summary = "Create a deployment", description = """
            Returns immediately with the deployment and its first revision, `latest_revision_id`; poll that revision, or wait for it, until
            its status is DEPLOYED. 409 if the name exists.""")
    @APIResponseSchema(value = DeploymentResponse.class, responseCode = "201")
    public Uni<DeploymentResponse> create(CreateDeploymentRequest request) {
        return deployments.create(context.workspace(), request);
    }

    @GET
    @Operation(operationId = "list_deployments", summary = "List deployments", description = "Newest first.")
    public Uni<RestResponse<Resources<DeploymentResponse>>> list(
            @Parameter(description = "Part of the name, case-insensitive.") @QueryParam("name_contains") @Nullable String nameContains,
            @Parameter(description = "The whole name.") @QueryParam("name") @Nullable String name,
            @Parameter(description = "READY, UNUSED, AWAITING_DELETE or UNKNOWN.") @QueryParam("status") @Nullable String status,
            @QueryParam("limit") @Nullable String limit, @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "name_contains", "name", "status", "limit", "offset");
        DeploymentFilter filter = DeploymentFilter.parse(nameContains, name, status, limit, offset);
        return deployments.list(context.workspace(), filter)
                .map(found -> Resources.response(found, filter.page()));
    }

    @GET
    @Path("/{deployment_id}")
    @Operation(operationId = "get_deployment", summary = "Get a deployment")
    public Uni<DeploymentResponse> get(@RestPath("deployment_id") UUID id) {
        return deployments.get(context.workspace(), id);
    }

    @PATCH
    @Path("/{deployment_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "update_deployment", summary = "Change a deployment", description = """
            Members that are null or absent are not changed; secrets are replaced as a whole. A change of the build or run configuration
            creates a revision, which is the response's `latest_revision_id`. So does a `repo_ref` that does not name the latest
            revision's commit any more.""")
    public Uni<DeploymentResponse> update(@RestPath("deployment_id") UUID id, UpdateDeploymentRequest request) {
        return deployments.update(context.workspace(), id, request);
    }

    @DELETE
    @Path("/{deployment_id}")
    @ResponseStatus(204)
    @Operation(operationId = "delete_deployment", summary = "Delete a deployment", description = """
            The deployment has the status AWAITING_DELETE until all of its processes have stopped; then it is removed.""")
    public Uni<Void> delete(@RestPath("deployment_id") UUID id) {
        return deployments.delete(context.workspace(), id);
    }
}
