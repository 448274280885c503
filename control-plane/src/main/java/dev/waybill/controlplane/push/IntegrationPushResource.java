package dev.waybill.controlplane.push;

import java.util.UUID;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.push.PushResource.PushResponse;
import io.smallrye.mutiny.Uni;

/** Push webhooks of one integration (contract.md "Decided on 2026-11-23"). */
@Path(WebhookAdmissionFilter.INTEGRATION_PATH)
@Produces(MediaType.APPLICATION_JSON)
@PermitAll
@Tag(name = "Integrations (v1)")
class IntegrationPushResource {

    private final PushService pushes;

    IntegrationPushResource(PushService pushes) {
        this.pushes = pushes;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(202)
    @Operation(operationId = "receive_integration_push", summary = "Receive a push", description = """
            The body of a push event, signed with the integration's webhook_secret instead of an API key. A push to the branch of a \
            deployment with build_on_push creates a revision. A repeated delivery changes nothing. 401 if the signature does not match the \
            integration's secret, or the integration does not exist.""")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    @APIResponseSchema(value = PushResponse.class, responseCode = "202")
    public Uni<PushResponse> receive(@RestPath("integration_id") UUID integrationId,
            @HeaderParam("X-GitHub-Delivery") @Nullable String delivery,
            @HeaderParam("X-GitHub-Event") @Nullable String event,
            @HeaderParam("X-Hub-Signature-256") @Nullable String signature, byte @Nullable [] body) {
        return pushes.receive(integrationId, WebhookDelivery.of(delivery, event, signature, body))
                .map(PushResponse::new);
    }
}
