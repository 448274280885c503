/**
 * Validation of requests that create or change deployments, also by what this installation allows, and the configuration
 * of the URLs of deployments.
 */
@NullMarked
package dev.waybill.controlplane.deployment.validation;

import org.jspecify.annotations.NullMarked;
