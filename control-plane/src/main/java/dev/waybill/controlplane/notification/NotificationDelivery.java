package dev.waybill.controlplane.notification;

import java.time.Instant;
import java.util.UUID;

/**
 * A claimed delivery with its rule.
 *
 * @param type the event, or {@code test}
 * @param data what the receiver needs to know, as JSON
 * @param attempts number of attempts so far
 */
record NotificationDelivery(NotificationRule rule, UUID id, String type, String data, int attempts, Instant createdAt) {
}
