/**
 * Spans of what the services do (OpenTelemetry), sent to a collector of the operator's over OTLP. Made by hand and in few
 * places,
 * so that what they hold and where a trace is handed on is all to be read here: nothing is instrumented by itself, and no
 * server
 * of a customer's is ever told of a trace (docs/decisions/0078).
 */
@NullMarked
package dev.waybill.common.telemetry;

import org.jspecify.annotations.NullMarked;
