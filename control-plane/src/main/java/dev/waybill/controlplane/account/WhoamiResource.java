package dev.waybill.controlplane.account;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.waybill.common.api.account.WhoamiResponse;
import dev.waybill.common.security.Caller;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import io.smallrye.mutiny.Uni;

/** Returns the identity of the caller (contract.md "Accounts and keys"). */
@Path("/v1/whoami")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({ Role.MEMBERS, Role.OPERATOR })
@Tag(name = "Accounts")
class WhoamiResource {

    private final CallerContext context;

    WhoamiResource(CallerContext context) {
        this.context = context;
    }

    @GET
    @Operation(operationId = "whoami", summary = "Who am I", description = """
            Returns the identity of the API key or token. tenant_id is null if an organization-wide key was sent without \
            X-Tenant-Id.""")
    public Uni<WhoamiResponse> get() {
        return Uni.createFrom().item(() -> describe(context.caller()));
    }

    private static WhoamiResponse describe(Caller caller) {
        return new WhoamiResponse(caller.organizationId(), caller.plan(), caller.workspaceId(), caller.apiKeyId(),
                caller.role(), caller.expiresAt());
    }
}
