/**
 * Tests of the events of deployments and revisions.
 */
@NullMarked
package dev.waybill.controlplane.event;

import org.jspecify.annotations.NullMarked;
