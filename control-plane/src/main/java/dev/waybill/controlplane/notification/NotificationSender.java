package dev.waybill.controlplane.notification;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import jakarta.inject.Singleton;

import dev.waybill.common.net.WebhookClient;
import dev.waybill.common.secret.SecretCipher;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/**
 * Sends an event to the webhook of its rule, with the headers and the signature of Standard Webhooks, or to its e-mail
 * addresses.
 */
@Singleton
class NotificationSender {

    private final WebhookClient webhooks;
    private final MailTransport mail;
    private final NotificationRuleValidator validator;
    private final SecretCipher cipher;
    private final NotificationMessages messages;
    private final Clock clock;

    NotificationSender(WebhookClient webhooks, MailTransport mail, NotificationRuleValidator validator, SecretCipher cipher,
            NotificationMessages messages,
            Clock clock) {
        this.webhooks = webhooks;
        this.mail = mail;
        this.validator = validator;
        this.cipher = cipher;
        this.messages = messages;
        this.clock = clock;
    }

    /** Sends the event; fails if the receiver did not accept it. */
    Uni<Void> send(NotificationDelivery delivery) {
        NotificationRule rule = delivery.rule();
        JsonObject data = messages.data(delivery);
        byte[] webhook = rule.webhook();
        return webhook == null ? email(delivery, Objects.requireNonNull(rule.emailTo()), data)
                : post(delivery, Webhook.decode(cipher.decrypt(webhook, rule.tenantId(), rule.id())), data);
    }

    private Uni<Void> post(NotificationDelivery delivery, Webhook webhook, JsonObject data) {
        String id = delivery.id().toString();
        long timestamp = clock.instant().getEpochSecond();
        Buffer body = new JsonObject()
                .put("type", delivery.type())
                .put("timestamp", delivery.createdAt().toString())
                .put("data", data)
                .toBuffer();
        Map<String, String> headers = Map.of("User-Agent", "Waybill", "webhook-id", id, "webhook-timestamp",
                Long.toString(timestamp), "webhook-signature", webhook.signature(id, timestamp, body.getBytes()));
        return Uni.createFrom().completionStage(() -> webhooks.post(webhooks.parse(webhook.url()), headers, body)
                .toCompletionStage())
                .replaceWithVoid();
    }

    private Uni<Void> email(NotificationDelivery delivery, List<String> addresses, JsonObject data) {
        List<String> permitted = addresses.stream().filter(validator::isPermitted).toList();
        return permitted.isEmpty()
                ? Uni.createFrom().failure(new IllegalStateException("no address is in a domain that the operator permits"))
                // By the id, mail clients recognize a repeated attempt.
                : mail.send(permitted, messages.subject(delivery, data), messages.text(delivery, data),
                        "<" + delivery.id() + "@waybill>");
    }
}
