package dev.waybill.common.api.notification;

import java.util.List;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Body of {@code PATCH /v1/notification-rules/{rule_id}}. Null or absent members are unchanged. */
public record UpdateNotificationRuleRequest(
        @Nullable @Size(min = 1, max = 255, message = "must have 1 to 255 characters") @Pattern(regexp = CreateNotificationRuleRequest.READABLE, message = "must have at least one visible character and no control characters") String name,
        @Nullable @Size(min = 1, max = 3, message = "must have 1 to 3 events") @Schema(description = "Events that are delivered.") List<@NotNull(message = "must not be null") NotificationEvent> events,
        @Nullable @Schema(writeOnly = true, description = "Replaces the URL of a rule with a webhook.") String webhookUrl,
        @Nullable @Schema(writeOnly = true, description = "Replaces the secret that signs webhooks: whsec_ and 24 to 64 bytes in base64. Stored encrypted and never returned.") @Pattern(regexp = UpdateNotificationRuleRequest.SECRET, message = "must be whsec_ followed by 24 to 64 bytes in base64") String webhookSecret,
        @Nullable @Size(min = 1, max = 10, message = "must have 1 to 10 addresses") @Schema(description = "Replaces the addresses of a rule with e-mail.") List<@NotNull(message = "must not be null") @Size(max = 254, message = "must have at most 254 characters") @Pattern(regexp = CreateNotificationRuleRequest.EMAIL, message = "must be an e-mail address") String> emailTo,
        @Nullable @Schema(description = "A disabled rule delivers nothing, and what it had not delivered fails.") Boolean enabled) {

    // The exact number of bytes follows from the length: 24 bytes are 32 characters, 64 bytes are 88.
    static final String SECRET = "whsec_(?:[A-Za-z0-9+/]{4}){7,21}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)";

    /** Omits URL and secret. */
    @Override
    public String toString() {
        return "UpdateNotificationRuleRequest[name=" + name + ", events=" + events + ", enabled=" + enabled + "]";
    }
}
