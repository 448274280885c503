package dev.waybill.controlplane.account;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.account.CreateWorkspaceRequest;
import dev.waybill.common.api.account.WorkspaceResponse;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.page.Resources;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import io.smallrye.mutiny.Uni;

/** The workspaces of the caller's organization (contract.md "Accounts and keys"). */
@Path("/v1/workspaces")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.ADMINS)
@Tag(name = "Accounts", description = "Workspaces and API keys of the caller's organization; requires a key with the role admin.")
class WorkspaceResource {

    private final OrganizationService organizations;
    private final CallerContext context;

    WorkspaceResource(OrganizationService organizations, CallerContext context) {
        this.organizations = organizations;
        this.context = context;
    }

    @POST
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    @Operation(operationId = "create_workspace", summary = "Create a workspace", description = "Requires an admin key of the whole organization.")
    @APIResponseSchema(value = WorkspaceResponse.class, responseCode = "201")
    public Uni<WorkspaceResponse> create(CreateWorkspaceRequest request) {
        return organizations.createWorkspace(context.caller(), request);
    }

    @GET
    @Operation(operationId = "list_workspaces", summary = "List workspaces", description = """
            Newest first. A key that is bound to a workspace lists only that one.""")
    public Uni<RestResponse<Resources<WorkspaceResponse>>> list(@QueryParam("limit") @Nullable String limit,
            @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "limit", "offset");
        PageParameters page = PageParameters.parse(limit, offset);
        return organizations.listWorkspaces(context.caller(), page)
                .map(found -> Resources.response(found, page));
    }
}
