/**
 * The reverse proxy in front of all applications of one machine, on {@code vertx-http-proxy}. It is a process of its own that
 * listens on their ports, so that an application can be replaced without refused connections and without the control plane. It
 * runs the control plane's program in another mode, without Quarkus and without configuration.
 */
@NullMarked
package dev.waybill.controlplane.engine.local.proxy;

import org.jspecify.annotations.NullMarked;
