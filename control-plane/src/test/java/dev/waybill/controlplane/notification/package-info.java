/** Tests of notification rules and of the delivery of events. */
@NullMarked
package dev.waybill.controlplane.notification;

import org.jspecify.annotations.NullMarked;
