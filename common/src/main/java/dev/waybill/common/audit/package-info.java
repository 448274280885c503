/**
 * The audit log: one line for each request that may change something, with the caller, the address, the time and the
 * workspace, in the same format of all services; services with a database also store it as an event, for the API of
 * control-plane
 * (docs/operations/observability.md "Audit log").
 */
@NullMarked
package dev.waybill.common.audit;

import org.jspecify.annotations.NullMarked;
