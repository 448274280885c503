/**
 * Limits of a workspace by its organization's plan. A package of its own, because several features apply them and none
 * of them depends on another's tables.
 */
@NullMarked
package dev.waybill.controlplane.quota;

import org.jspecify.annotations.NullMarked;
