/**
 * How revisions move.
 */
@NullMarked
package dev.waybill.controlplane.rollout;

import org.jspecify.annotations.NullMarked;
