package dev.waybill.controlplane.push;

import java.util.List;
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

import io.smallrye.mutiny.Uni;

/**
 * Push webhooks (contract.md "Deployment management"). {@link WebhookAdmissionFilter} limits their bodies before they are
 * read.
 */
@Path("/v1/integrations/repohost")
@Produces(MediaType.APPLICATION_JSON)
@PermitAll
@Tag(name = "Integrations (v1)")
class PushResource {

    private final PushService pushes;

    PushResource(PushService pushes) {
        this.pushes = pushes;
    }

    @POST
    @Path("/webhook")
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(202)
    @Operation(operationId = "receive_push", summary = "Receive a push that names its installation", description = """
            For webhooks of a provider's application, which have one URL for all accounts: the body's installation.id and the \
            repository's URL identify the integration. 401 if they identify none, or if the signature matches none of them.""")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    @APIResponseSchema(value = PushResponse.class, responseCode = "202")
    public Uni<PushResponse> receive(@HeaderParam("X-GitHub-Delivery") @Nullable String delivery,
            @HeaderParam("X-GitHub-Event") @Nullable String event,
            @HeaderParam("X-Hub-Signature-256") @Nullable String signature, byte @Nullable [] body) {
        return pushes.receive(WebhookDelivery.of(delivery, event, signature, body))
                .map(PushResponse::new);
    }

    @POST
    @Path("/{integration_id}/webhook")
    @Consumes(MediaType.APPLICATION_JSON)
    @ResponseStatus(202)
    @Operation(operationId = "receive_integration_push", summary = "Receive a push", description = """
            The body of a push event, signed with the integration's webhook_secret instead of an API key. A push to the branch of a \
            deployment with build_on_push creates a revision. A repeated delivery changes nothing. 401 if the signature does not match the \
            integration's secret, or the integration does not exist.""")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = Object.class)))
    @APIResponseSchema(value = PushResponse.class, responseCode = "202")
    public Uni<PushResponse> receiveOfIntegration(@RestPath("integration_id") UUID integrationId,
            @HeaderParam("X-GitHub-Delivery") @Nullable String delivery,
            @HeaderParam("X-GitHub-Event") @Nullable String event,
            @HeaderParam("X-Hub-Signature-256") @Nullable String signature, byte @Nullable [] body) {
        return pushes.receive(integrationId, WebhookDelivery.of(delivery, event, signature, body))
                .map(PushResponse::new);
    }

    /** @param deployments the deployments that are rebuilt */
    record PushResponse(@Schema(description = "The deployments that are rebuilt.") List<UUID> deployments) {
    }
}
