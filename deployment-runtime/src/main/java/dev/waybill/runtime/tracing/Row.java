package dev.waybill.runtime.tracing;

import org.jspecify.annotations.Nullable;

/**
 * A run or a step as it is sent.
 *
 * @param traceParent of the run that it is or belongs to; null when nobody collects traces
 * @param held the memory that is free again when it has been sent
 */
record Row(byte[] json, @Nullable String traceParent, long held) {

    Row holding(long bytes) {
        return new Row(json, traceParent, bytes);
    }
}
