/**
 * Rules for the members of a deployment.
 */
@NullMarked
package dev.waybill.controlplane.deployment.rule;

import org.jspecify.annotations.NullMarked;
