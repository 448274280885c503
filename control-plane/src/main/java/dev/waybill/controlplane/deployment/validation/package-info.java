/**
 * Validation of requests that create or change deployments.
 */
@NullMarked
package dev.waybill.controlplane.deployment.validation;

import org.jspecify.annotations.NullMarked;
