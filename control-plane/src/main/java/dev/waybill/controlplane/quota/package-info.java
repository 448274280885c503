/**
 * Limits of what a workspace may create, by its organization's plan. Apart from the features that create, which know each
 * other's
 * tables as little as they know plans.
 */
@NullMarked
package dev.waybill.controlplane.quota;

import org.jspecify.annotations.NullMarked;
