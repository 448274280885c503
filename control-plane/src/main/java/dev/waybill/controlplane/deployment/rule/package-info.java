/**
 * What requests about deployments must be like.
 */
@NullMarked
package dev.waybill.controlplane.deployment.rule;

import org.jspecify.annotations.NullMarked;
