/**
 * Stores events that a workspace is notified of, in the transaction in which they happen; control-plane delivers them
 * (docs/decisions/0166).
 */
@NullMarked
package dev.waybill.common.notification;

import org.jspecify.annotations.NullMarked;
