/** Notification rules of workspaces, and the delivery of events to webhooks and by e-mail (docs/notifications.md). */
@NullMarked
package dev.waybill.controlplane.notification;

import org.jspecify.annotations.NullMarked;
