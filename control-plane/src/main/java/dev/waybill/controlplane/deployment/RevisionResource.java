package dev.waybill.controlplane.deployment;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.DeploymentResponse;
import dev.waybill.common.api.deployment.RevisionResponse;
import dev.waybill.common.api.deployment.UpdateDeploymentRequest;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.negotiation.IfNoneMatch;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.page.Resources;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** Revisions of deployments (interface.md 2.2 and 4.1, contract.md "Deployment management"). */
@Path("/v2/deployments/{deployment_id}/revisions")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Deployments (v2)")
class RevisionResource {

    private final DeploymentRevisionService service;
    private final CallerContext context;

    RevisionResource(DeploymentRevisionService service, CallerContext context) {
        this.service = service;
        this.context = context;
    }

    @POST
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    @Operation(operationId = "create_deployment_revision", summary = "Create a revision", description = """
            Always creates a revision, of the commit that the deployment's ref names now, with the changes of the body as in PATCH.""")
    @APIResponseSchema(value = RevisionResponse.class, responseCode = "201")
    public Uni<RevisionResponse> create(@RestPath("deployment_id") UUID deploymentId, UpdateDeploymentRequest request) {
        return service.create(context.workspace(), deploymentId, request);
    }

    @GET
    @Operation(operationId = "list_deployment_revisions", summary = "List revisions", description = "Newest first.")
    public Uni<RestResponse<Resources<RevisionResponse>>> list(@RestPath("deployment_id") UUID deploymentId,
            @Parameter(description = "Comma-separated statuses.") @QueryParam("status") @Nullable String status,
            @QueryParam("limit") @Nullable String limit, @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "status", "limit", "offset");
        DeploymentFilter.Revisions filter = DeploymentFilter.Revisions.parse(status, limit, offset);
        return service.list(context.workspace(), deploymentId, filter)
                .map(found -> Resources.response(found, filter.page()));
    }

    @GET
    @Path("/{revision_id}")
    @Operation(operationId = "get_deployment_revision", summary = "Get a revision", description = """
            With `wait`, responds when the revision is DEPLOYED, failed or interrupted, or when the time has elapsed; with
            `If-None-Match`, as soon as the revision's ETag differs, or with 304 when the time has elapsed. `Retry-After` is set while
            the revision is in progress.""")
    @APIResponseSchema(value = RevisionResponse.class, responseCode = "200")
    public Uni<RestResponse<RevisionResponse>> get(@RestPath("deployment_id") UUID deploymentId,
            @RestPath("revision_id") UUID id,
            @Parameter(description = "Maximum time to wait, for example 30s; responds immediately if absent.") @QueryParam("wait") @Nullable String wait,
            @Parameter(schema = @Schema(type = SchemaType.STRING)) @HeaderParam(HttpHeaders.IF_NONE_MATCH) @Nullable List<String> known) {
        return service.get(context.workspace(), deploymentId, id, wait, IfNoneMatch.parse(known));
    }

    @POST
    @Path("/{revision_id}/redeploy")
    @Idempotent
    @Operation(operationId = "redeploy_revision", summary = "Deploy a revision's source again", description = """
            Creates a revision of the same commit, with the deployment's current secrets. Returns the deployment, whose
            `latest_revision_id` is the new revision.""")
    public Uni<DeploymentResponse> redeploy(@RestPath("deployment_id") UUID deploymentId, @RestPath("revision_id") UUID id) {
        return service.redeploy(context.workspace(), deploymentId, id);
    }

    @POST
    @Path("/{revision_id}/interrupt")
    @Operation(operationId = "interrupt_revision", summary = "Interrupt a revision", description = """
            Its partial work is removed; the active revision continues to serve. 409 if the revision is deployed or has ended.""")
    public Uni<RevisionResponse> interrupt(@RestPath("deployment_id") UUID deploymentId, @RestPath("revision_id") UUID id) {
        return service.interrupt(context.workspace(), deploymentId, id);
    }
}
