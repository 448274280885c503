/**
 * What deployments and revisions answer over HTTP.
 */
@NullMarked
package dev.waybill.controlplane.deployment;

import org.jspecify.annotations.NullMarked;
