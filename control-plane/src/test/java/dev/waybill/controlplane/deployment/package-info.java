/**
 * Tests of deployments and revisions over HTTP.
 */
@NullMarked
package dev.waybill.controlplane.deployment;

import org.jspecify.annotations.NullMarked;
