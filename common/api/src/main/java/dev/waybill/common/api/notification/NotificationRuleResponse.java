package dev.waybill.common.api.notification;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A rule that delivers events of a workspace to a webhook or by e-mail. */
@Schema(name = "NotificationRule")
public record NotificationRuleResponse(UUID id, String name, List<NotificationEvent> events,
        @Nullable @Schema(description = "Scheme, host and port of the webhook; null for e-mail.", examples = "https://hooks.example.com") String webhookOrigin,
        @Nullable @Schema(description = "Addresses; null for a webhook.") List<String> emailTo,
        boolean enabled, Instant createdAt, Instant updatedAt) {
}
