/**
 * Tests of rollout decisions.
 */
@NullMarked
package dev.waybill.controlplane.rollout.rule;

import org.jspecify.annotations.NullMarked;
