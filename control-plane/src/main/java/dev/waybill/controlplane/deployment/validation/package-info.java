/**
 * What requests about deployments must be like.
 */
@NullMarked
package dev.waybill.controlplane.deployment.validation;

import org.jspecify.annotations.NullMarked;
