package dev.waybill.controlplane.integration;

import java.util.List;
import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;

import dev.waybill.common.api.deployment.CreateIntegrationRequest;
import dev.waybill.common.api.deployment.CreatedIntegrationResponse;
import dev.waybill.common.api.deployment.IntegrationResponse;
import dev.waybill.common.api.deployment.RepositoryResponse;
import dev.waybill.common.api.deployment.UpdateIntegrationRequest;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** Alias of {@code /v1/integrations/repohost} for clients that use the GitHub paths. */
@Path("/v1/integrations/github")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
class GithubIntegrationResource {

    private final IntegrationService integrations;
    private final CallerContext context;

    GithubIntegrationResource(IntegrationService integrations, CallerContext context) {
        this.integrations = integrations;
        this.context = context;
    }

    @GET
    @Path("/install")
    @Operation(hidden = true)
    public Uni<List<IntegrationResponse>> list() {
        return integrations.list(context.workspace());
    }

    @POST
    @Path("/install")
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    @Operation(hidden = true)
    public Uni<CreatedIntegrationResponse> create(CreateIntegrationRequest request) {
        return integrations.create(context.workspace(), request);
    }

    @GET
    @Path("/{integration_id}")
    @Operation(hidden = true)
    public Uni<IntegrationResponse> get(@RestPath("integration_id") UUID id) {
        return integrations.get(context.workspace(), id)
                .map(Integration::toResponse);
    }

    @PATCH
    @Path("/{integration_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(hidden = true)
    public Uni<IntegrationResponse> update(@RestPath("integration_id") UUID id, UpdateIntegrationRequest request) {
        return integrations.update(context.workspace(), id, request);
    }

    @DELETE
    @Path("/{integration_id}")
    @ResponseStatus(204)
    @Operation(hidden = true)
    public Uni<Void> delete(@RestPath("integration_id") UUID id) {
        return integrations.delete(context.workspace(), id);
    }

    @GET
    @Path("/{integration_id}/repos")
    @Operation(hidden = true)
    public Uni<List<RepositoryResponse>> repositories(@RestPath("integration_id") UUID id) {
        return integrations.repositories(context.workspace(), id);
    }
}
