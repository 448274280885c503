package dev.waybill.common.api.deployment;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A push that a repository host delivered with a valid signature. */
@Schema(name = "WebhookDelivery")
public record WebhookDeliveryResponse(
        @Schema(description = "The id that the host chose (X-GitHub-Delivery).") String id,
        @Nullable @Schema(description = "The full name of the pushed ref; null if the push has none.", examples = "refs/heads/main") String ref,
        Instant receivedAt,
        @Schema(description = "The deployments that it rebuilt.") List<UUID> deployments) {
}
