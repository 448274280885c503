package dev.waybill.controlplane.account;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;

import dev.waybill.common.api.account.CreateOrganizationRequest;
import dev.waybill.common.api.account.CreatedOrganizationResponse;
import dev.waybill.common.api.account.OrganizationResponse;
import dev.waybill.common.api.account.UpdateOrganizationRequest;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.security.Role;
import io.smallrye.mutiny.Uni;

/** Organizations; accessible to the operator only (contract.md "Accounts and keys"). */
@Path("/v1/organizations")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.OPERATOR)
@Tag(name = "Operator", description = "For the operator of the installation, authenticated with waybill.operator.key.")
@SecurityRequirement(name = "API Key")
class OrganizationResource {

    private final OrganizationService organizations;

    OrganizationResource(OrganizationService organizations) {
        this.organizations = organizations;
    }

    @POST
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    @Operation(operationId = "create_organization", summary = "Create an organization", description = """
            The response contains the organization's first API key, an admin key of the whole organization, which cannot be \
            retrieved later.""")
    @APIResponseSchema(value = CreatedOrganizationResponse.class, responseCode = "201")
    public Uni<CreatedOrganizationResponse> create(CreateOrganizationRequest request) {
        return organizations.createOrganization(request);
    }

    @PATCH
    @Consumes(MediaType.APPLICATION_JSON)
    @Path("/{id}")
    @Operation(operationId = "update_organization", summary = "Change an organization's plan", description = """
            The new plan is effective within 30 s, when services refresh the organization's keys.""")
    public Uni<OrganizationResponse> update(@PathParam("id") UUID id, UpdateOrganizationRequest request) {
        return organizations.updateOrganization(id, request);
    }
}
