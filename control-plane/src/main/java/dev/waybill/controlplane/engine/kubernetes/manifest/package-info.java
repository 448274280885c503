/**
 * Builds a cluster's objects from a plan, by pure functions: golden files show the objects of a revision, and tests need no
 * cluster.
 */
@NullMarked
package dev.waybill.controlplane.engine.kubernetes.manifest;

import org.jspecify.annotations.NullMarked;
