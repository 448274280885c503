package dev.waybill.controlplane.account;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
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

import dev.waybill.common.api.account.ApiKeyResponse;
import dev.waybill.common.api.account.CreateApiKeyRequest;
import dev.waybill.common.api.account.CreatedApiKeyResponse;
import dev.waybill.common.api.account.UpdateApiKeyRequest;
import dev.waybill.common.idempotency.Idempotent;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.page.Resources;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import io.smallrye.mutiny.Uni;

/** API keys (contract.md "Accounts and keys"). */
@Path("/v1/api-keys")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.ADMINS)
@Tag(name = "Accounts")
class ApiKeyResource {

    private final ApiKeyService keys;
    private final CallerContext context;

    ApiKeyResource(ApiKeyService keys, CallerContext context) {
        this.keys = keys;
        this.context = context;
    }

    @POST
    @Idempotent
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(201)
    @Operation(operationId = "create_api_key", summary = "Create an API key", description = """
            The response contains the key, which cannot be retrieved later. A key that is bound to a workspace can create \
            keys of that workspace only.""")
    @APIResponseSchema(value = CreatedApiKeyResponse.class, responseCode = "201")
    public Uni<CreatedApiKeyResponse> create(CreateApiKeyRequest request) {
        return keys.create(context.caller(), request);
    }

    @GET
    @Operation(operationId = "list_api_keys", summary = "List API keys", description = """
            Newest first, without the secrets and without revoked keys. A key that is bound to a workspace lists only that \
            workspace's keys.""")
    public Uni<RestResponse<Resources<ApiKeyResponse>>> list(@QueryParam("limit") @Nullable String limit,
            @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "limit", "offset");
        PageParameters page = PageParameters.parse(limit, offset);
        return keys.list(context.caller(), page)
                .map(found -> Resources.response(found, page));
    }

    @PATCH
    @Path("/{id}")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(operationId = "update_api_key", summary = "Change an API key", description = """
            Members that are null or absent are not changed. A new role applies everywhere within 30 s. 409 if the key is the last \
            admin key of the organization, or of its workspace while no admin key of the organization exists. A key that is bound \
            to a workspace changes only that workspace's keys.""")
    public Uni<ApiKeyResponse> update(@PathParam("id") UUID id, UpdateApiKeyRequest request) {
        return keys.update(context.caller(), id, request);
    }

    @DELETE
    @Path("/{id}")
    @ResponseStatus(204)
    @Operation(operationId = "revoke_api_key", summary = "Revoke an API key", description = """
            The key stops working everywhere within 30 s. This cannot be undone.""")
    public Uni<Void> delete(@PathParam("id") UUID id) {
        return keys.revoke(context.caller(), id);
    }
}
