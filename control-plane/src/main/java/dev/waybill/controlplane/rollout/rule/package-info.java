/**
 * What there is to do about a deployment and what it has come to, as functions of what was read.
 */
@NullMarked
package dev.waybill.controlplane.rollout.rule;

import org.jspecify.annotations.NullMarked;
