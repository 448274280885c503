/**
 * From what a cluster says of a revision to words for its user, by pure functions: Kubernetes tells the same trouble in four
 * places and in its own terms.
 */
@NullMarked
package dev.waybill.controlplane.engine.kubernetes.health;

import org.jspecify.annotations.NullMarked;
