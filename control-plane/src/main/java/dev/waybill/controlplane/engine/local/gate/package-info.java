/**
 * The small program in front of all applications of one machine: it holds their ports, so that an application can be replaced
 * without a connection being refused, and outlives the control plane. Nothing but Java's own library: its classes are laid out
 * beside its notes and run from there, so that an upgrade of the control plane does not pull them from under it.
 */
@NullMarked
package dev.waybill.controlplane.engine.local.gate;

import org.jspecify.annotations.NullMarked;
