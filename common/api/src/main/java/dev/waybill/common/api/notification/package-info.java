/** Requests and responses for notification rules and their deliveries. */
@NullMarked
package dev.waybill.common.api.notification;

import org.jspecify.annotations.NullMarked;
