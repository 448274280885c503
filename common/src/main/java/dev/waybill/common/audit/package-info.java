/**
 * The audit log: one line for each request that may change something, with the caller, the time and the workspace. All services
 * use the same format (docs/operations/observability.md "Audit log").
 */
@NullMarked
package dev.waybill.common.audit;

import org.jspecify.annotations.NullMarked;
