/**
 * Tests of rollouts.
 */
@NullMarked
package dev.waybill.controlplane.rollout;

import org.jspecify.annotations.NullMarked;
