/**
 * Tests of revisions' logs.
 */
@NullMarked
package dev.waybill.controlplane.rollout.log;

import org.jspecify.annotations.NullMarked;
