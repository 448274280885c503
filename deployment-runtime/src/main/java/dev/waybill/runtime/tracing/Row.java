package dev.waybill.runtime.tracing;

/**
 * A run or a step as it is sent.
 *
 * @param held the memory that is free again when it has been sent
 */
record Row(byte[] json, long held) {

    Row holding(long bytes) {
        return new Row(json, bytes);
    }
}
