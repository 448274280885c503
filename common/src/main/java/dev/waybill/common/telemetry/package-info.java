/**
 * Tracing with OpenTelemetry, exported over OTLP to the operator's collector. Spans are created explicitly in few places, so
 * that their content and the propagation of traces can be reviewed here. No library is instrumented automatically, and no trace
 * context is sent to customers' servers (docs/decisions/0078).
 */
@NullMarked
package dev.waybill.common.telemetry;

import org.jspecify.annotations.NullMarked;
