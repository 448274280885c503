/**
 * Reconciles deployments: claims due rows with a lease, decides the next step as a pure function of the state, runs it in the
 * engine, and stores the result if the lease is still held.
 */
@NullMarked
package dev.waybill.controlplane.rollout;

import org.jspecify.annotations.NullMarked;
