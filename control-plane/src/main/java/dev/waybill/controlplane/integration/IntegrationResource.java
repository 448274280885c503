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
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
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

/** Integrations with repository hosts (interface.md 2.1 and 4.1, contract.md "Deployment management"). */
@Path("/v1/integrations/repohost")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Integrations (v1)", description = "Repository hosts that applications are deployed from.")
class IntegrationResource {

    private final IntegrationService integrations;
    private final CallerContext context;

    IntegrationResource(IntegrationService integrations, CallerContext context) {
        this.integrations = integrations;
        this.context = context;
    }

    @GET
    @Path("/install")
    @Operation(operationId = "list_repohost_integrations_v1_integrations_repohost_install_get", summary = "List integrations", description = "Newest first, as a JSON array. Alias: /v1/integrations/github/install.")
    public Uni<List<IntegrationResponse>> list() {
        return integrations.list(context.workspace());
    }

    @POST
    @Path("/install")
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    @Operation(operationId = "create_repohost_integration", summary = "Register an integration", description = """
            The response contains the path that the host sends push webhooks to, and the secret that signs them, which cannot be \
            retrieved later. Token and key are stored encrypted and never returned. 409 if the workspace already has this \
            installation.""")
    @APIResponseSchema(value = CreatedIntegrationResponse.class, responseCode = "201")
    public Uni<CreatedIntegrationResponse> create(CreateIntegrationRequest request) {
        return integrations.create(context.workspace(), request);
    }

    @GET
    @Path("/{integration_id}")
    @Operation(operationId = "get_repohost_integration", summary = "Get an integration")
    public Uni<IntegrationResponse> get(@RestPath("integration_id") UUID id) {
        return integrations.get(context.workspace(), id)
                .map(Integration::toResponse);
    }

    @PATCH
    @Path("/{integration_id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "update_repohost_integration", summary = "Change an integration", description = """
            Members that are null or absent are not changed. A token or deploy_key replaces the credential; the next step of any \
            revision uses it, and nothing is rebuilt or restarted. A webhook_secret applies from the next push.""")
    public Uni<IntegrationResponse> update(@RestPath("integration_id") UUID id, UpdateIntegrationRequest request) {
        return integrations.update(context.workspace(), id, request);
    }

    @DELETE
    @Path("/{integration_id}")
    @ResponseStatus(204)
    @Operation(operationId = "delete_repohost_integration", summary = "Delete an integration", description = "Deletes its credential. 409 while a deployment uses it.")
    public Uni<Void> delete(@RestPath("integration_id") UUID id) {
        return integrations.delete(context.workspace(), id);
    }

    @GET
    @Path("/{integration_id}/repos")
    @Operation(operationId = "list_repohost_repositories", summary = "List repositories", description = """
            The repositories that the host lists for the integration; 409 with the reason if the host cannot list them. A \
            repository that is not listed can still be deployed by its URL.""")
    public Uni<List<RepositoryResponse>> repositories(@RestPath("integration_id") UUID id) {
        return integrations.repositories(context.workspace(), id);
    }
}
