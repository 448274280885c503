/**
 * What moves revisions: rows that are due are claimed with a lease, one step of the engine is done, and what came of it is
 * written down if the lease is still held.
 */
@NullMarked
package dev.waybill.controlplane.rollout;

import org.jspecify.annotations.NullMarked;
