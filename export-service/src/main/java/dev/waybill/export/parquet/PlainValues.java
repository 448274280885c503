package dev.waybill.export.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Decodes values in Parquet's plain encoding. */
public final class PlainValues {

    private PlainValues() {
    }

    /** Returns an integer of 64 bits. */
    public static long int64(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    /** Returns a floating-point number of 64 bits. */
    static double float64(byte[] bytes) {
        return Double.longBitsToDouble(int64(bytes));
    }
}
