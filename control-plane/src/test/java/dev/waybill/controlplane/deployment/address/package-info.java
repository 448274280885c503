/**
 * What deployments and revisions answer over HTTP.
 */
@NullMarked
package dev.waybill.controlplane.deployment.address;

import org.jspecify.annotations.NullMarked;
