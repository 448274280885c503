/**
 * Reads and validates {@code langgraph.json}: the graphs, environment and dependencies of an application. The control plane
 * reads it before a deployment and the runtime before serving, with the same rules.
 */
@NullMarked
package dev.waybill.common.application;

import org.jspecify.annotations.NullMarked;
