/**
 * Rules for the members of a deployment.
 */
@NullMarked
package dev.waybill.controlplane.deployment.validation;

import org.jspecify.annotations.NullMarked;
