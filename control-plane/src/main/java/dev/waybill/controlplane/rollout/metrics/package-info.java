/**
 * Metrics of rollouts: revisions in progress and durations of their steps.
 */
@NullMarked
package dev.waybill.controlplane.rollout.metrics;

import org.jspecify.annotations.NullMarked;
