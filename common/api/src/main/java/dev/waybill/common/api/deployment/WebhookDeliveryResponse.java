package dev.waybill.common.api.deployment;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A delivery of a repository host's webhook whose signature was valid. */
@Schema(name = "WebhookDelivery")
public record WebhookDeliveryResponse(
        @Schema(description = "The id that the host chose (X-GitHub-Delivery).") String id,
        @Schema(description = "The event; only push has an effect.", examples = "push") String event,
        @Nullable @Schema(description = "The full name of the pushed ref; null if the event has none.", examples = "refs/heads/main") String ref,
        Instant receivedAt,
        @Schema(description = "The deployments that it rebuilt.") List<UUID> deployments) {
}
