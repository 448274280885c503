/**
 * Stores the log of a revision's build and deployment.
 */
@NullMarked
package dev.waybill.controlplane.rollout.log;

import org.jspecify.annotations.NullMarked;
