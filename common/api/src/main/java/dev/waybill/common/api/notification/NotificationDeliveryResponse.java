package dev.waybill.common.api.notification;

import java.time.Instant;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The delivery of one event by one rule. */
@Schema(name = "NotificationDelivery")
public record NotificationDeliveryResponse(
        @Schema(description = "The webhook-id header of every attempt.") UUID id,
        @Schema(description = "The event, or test.", examples = "export.failed") String type,
        DeliveryStatus status,
        @Schema(description = "Number of attempts so far.") int attempts,
        @Nullable @Schema(description = "Why the last attempt failed.", examples = "response status 500") String error,
        Instant createdAt,
        @Nullable @Schema(description = "When the next attempt is due; null when no further attempt is made.") Instant nextAttemptAt,
        @Nullable @Schema(description = "When the event was delivered or given up.") Instant finishedAt) {
}
