package dev.waybill.export.trace;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Parses PostgreSQL's binary {@code numeric}: the number of digits in base 10,000, the weight of the first, a sign, the number
 * of decimals and the digits.
 */
final class BinaryNumeric {

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    private static final int NEGATIVE = 0x4000;
    private static final int HEADER = 4 * Short.BYTES;

    // The value of one unit of the digit of weight 2, 1, 0, -1, -2 in billionths; the digit of weight -3 ends in three zeros.
    private static final long[] UNITS = { 100_000_000_000_000_000L, 10_000_000_000_000L, 1_000_000_000L, 100_000L, 10L };
    private static final int MAX_WEIGHT = 2;
    private static final int MIN_WEIGHT = -3;

    private BinaryNumeric() {
    }

    /** Returns the exact value of a {@code numeric(18, 9)} in billionths. */
    static long billionths(byte[] bytes, int offset) throws IOException {
        int digits = (short) SHORT.get(bytes, offset);
        int weight = (short) SHORT.get(bytes, offset + 2);
        int sign = (short) SHORT.get(bytes, offset + 4);
        if (sign != 0 && sign != NEGATIVE) {
            throw new IOException("a cost of NaN or infinity cannot be exported");
        }
        long billionths = 0;
        for (int i = 0; i < digits; i++) {
            billionths += inBillionths((short) SHORT.get(bytes, offset + HEADER + i * Short.BYTES), weight - i);
        }
        return sign == NEGATIVE ? -billionths : billionths;
    }

    private static long inBillionths(short digit, int weight) throws IOException {
        if (weight > MAX_WEIGHT || weight < MIN_WEIGHT) {
            throw new IOException("a cost outside DECIMAL(18,9) cannot be exported");
        }
        return weight == MIN_WEIGHT ? digit / 1000 : digit * UNITS[MAX_WEIGHT - weight];
    }
}
