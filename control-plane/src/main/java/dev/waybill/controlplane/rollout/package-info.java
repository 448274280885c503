/**
 * Reconciles deployments: claims due rows with a lease, runs one step of the engine, and stores the result if the lease is
 * still held.
 */
@NullMarked
package dev.waybill.controlplane.rollout;

import org.jspecify.annotations.NullMarked;
