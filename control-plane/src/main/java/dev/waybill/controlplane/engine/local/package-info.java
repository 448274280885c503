/**
 * Runs applications as processes of this machine, without a cluster, for laptops and small installations. All state is in one
 * folder and in the processes themselves, so a restarted control plane continues with it.
 */
@NullMarked
package dev.waybill.controlplane.engine.local;

import org.jspecify.annotations.NullMarked;
