package dev.waybill.runtime.tracing;

import org.jspecify.annotations.Nullable;

/**
 * A run or step as sent to the trace store.
 *
 * @param traceParent trace context of its run; null without tracing
 * @param reservedBytes memory to release after the row was sent
 */
record TraceRow(byte[] json, @Nullable String traceParent, long reservedBytes) {

    TraceRow withReservedBytes(long bytes) {
        return new TraceRow(json, traceParent, bytes);
    }
}
