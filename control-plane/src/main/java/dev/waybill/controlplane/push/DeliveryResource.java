package dev.waybill.controlplane.push;

import java.util.UUID;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.deployment.WebhookDeliveryResponse;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.page.QueryParameters;
import dev.waybill.common.page.Resources;
import dev.waybill.common.security.CallerContext;
import dev.waybill.common.security.Role;
import dev.waybill.common.security.WorkspaceRequired;
import io.smallrye.mutiny.Uni;

/** The webhook deliveries that an integration received. */
@Path("/v1/integrations/repohost/{integration_id}/deliveries")
@Produces(MediaType.APPLICATION_JSON)
@WorkspaceRequired
@RolesAllowed(Role.MEMBERS)
@Tag(name = "Integrations (v1)")
class DeliveryResource {

    private final PushService pushes;
    private final CallerContext context;

    DeliveryResource(PushService pushes, CallerContext context) {
        this.pushes = pushes;
        this.context = context;
    }

    @GET
    @Operation(operationId = "list_repohost_deliveries", summary = "List webhook deliveries", description = """
            Pushes to branches of the last 30 days with a valid signature, newest first; a repeated one is listed once.""")
    public Uni<RestResponse<Resources<WebhookDeliveryResponse>>> list(@RestPath("integration_id") UUID integrationId,
            @QueryParam("limit") @Nullable String limit, @QueryParam("offset") @Nullable String offset,
            @Context UriInfo uri) {
        QueryParameters.requireKnown(uri, "limit", "offset");
        PageParameters page = PageParameters.parse(limit, offset);
        return pushes.deliveries(context.workspace(), integrationId, page)
                .map(found -> Resources.response(found, page));
    }
}
