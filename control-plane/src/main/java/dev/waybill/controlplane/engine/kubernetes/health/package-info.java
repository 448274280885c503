/**
 * Translates the cluster's state of a revision into sentences for its user, by pure functions: Kubernetes reports the same
 * problem in four places and in its own terms.
 */
@NullMarked
package dev.waybill.controlplane.engine.kubernetes.health;

import org.jspecify.annotations.NullMarked;
