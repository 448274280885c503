/**
 * Decides the next step of a deployment and its result, as pure functions of the loaded state.
 */
@NullMarked
package dev.waybill.controlplane.rollout.rule;

import org.jspecify.annotations.NullMarked;
