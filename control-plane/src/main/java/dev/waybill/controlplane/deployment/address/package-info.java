/**
 * URLs of deployments.
 */
@NullMarked
package dev.waybill.controlplane.deployment.address;

import org.jspecify.annotations.NullMarked;
