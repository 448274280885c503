/**
 * Tests of the validation of deployments.
 */
@NullMarked
package dev.waybill.controlplane.deployment.validation;

import org.jspecify.annotations.NullMarked;
