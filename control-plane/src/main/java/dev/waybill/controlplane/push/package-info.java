/**
 * Pushes: a host of repositories tells, signed, that a branch has moved, and deployments of that branch are built again.
 */
@NullMarked
package dev.waybill.controlplane.push;

import org.jspecify.annotations.NullMarked;
