/**
 * The reverse proxy in front of all applications of one machine. It is a process of its own that listens on their ports, so
 * that an application can be replaced without refused connections and without the control plane. It depends on the JDK only:
 * its classes are copied beside its state file, so that an upgrade of the control plane does not remove them.
 */
@NullMarked
package dev.waybill.controlplane.engine.local.proxy;

import org.jspecify.annotations.NullMarked;
