/**
 * Tests of the limits of workspaces.
 */
@NullMarked
package dev.waybill.controlplane.quota;

import org.jspecify.annotations.NullMarked;
