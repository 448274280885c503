/**
 * Runs applications as processes of this machine, without a cluster: for laptops and small installations. Everything it knows
 * lies in one folder and in the processes themselves, so that it goes on after any end of the control plane.
 */
@NullMarked
package dev.waybill.controlplane.engine.local;

import org.jspecify.annotations.NullMarked;
