package dev.waybill.controlplane.notification;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.notification.CreatedNotificationRuleResponse;
import dev.waybill.common.api.notification.NotificationEvent;
import dev.waybill.common.api.notification.NotificationRuleResponse;

/**
 * A stored rule.
 *
 * @param webhook encrypted URL and secret; null for e-mail
 * @param webhookOrigin scheme, host and port of the URL; null for e-mail
 * @param emailTo null for a webhook
 */
record NotificationRule(UUID tenantId, UUID id, String name, List<NotificationEvent> events, byte @Nullable [] webhook,
        @Nullable String webhookOrigin, @Nullable List<String> emailTo, boolean enabled, Instant createdAt,
        Instant updatedAt) {

    NotificationRuleResponse toResponse() {
        return new NotificationRuleResponse(id, name, events, webhookOrigin, emailTo, enabled, createdAt, updatedAt);
    }

    CreatedNotificationRuleResponse toCreatedResponse(@Nullable String webhookSecret) {
        return new CreatedNotificationRuleResponse(id, name, events, webhookOrigin, emailTo, enabled, createdAt, updatedAt,
                webhookSecret);
    }
}
