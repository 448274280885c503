package dev.waybill.common.api.notification;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.Auditable;

/** A new rule with the secret that signs its webhooks. */
@Schema(name = "CreatedNotificationRule")
public record CreatedNotificationRuleResponse(UUID id, String name, List<NotificationEvent> events,
        @Nullable @Schema(description = "Scheme, host and port of the webhook; null for e-mail.") String webhookOrigin,
        @Nullable @Schema(description = "Addresses; null for a webhook.") List<String> emailTo,
        boolean enabled, Instant createdAt, Instant updatedAt,
        @Nullable @Schema(description = "Secret that signs webhooks, for libraries of Standard Webhooks; null for e-mail. Only this response contains it.", examples = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") String webhookSecret)
        implements
            Auditable {

    /** Omits the secret, so that logs never contain it. */
    @Override
    public String toString() {
        return "CreatedNotificationRuleResponse[id=" + id + ", webhookSecret=***]";
    }
}
