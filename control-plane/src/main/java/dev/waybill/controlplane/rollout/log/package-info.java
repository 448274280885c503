/**
 * What is said while a revision is worked on, kept with it.
 */
@NullMarked
package dev.waybill.controlplane.rollout.log;

import org.jspecify.annotations.NullMarked;
