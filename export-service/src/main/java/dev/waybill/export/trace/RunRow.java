package dev.waybill.export.trace;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.UUID;

/**
 * One run in PostgreSQL's binary format. It is a view: fields remain in the received message without an object per field, and
 * the reader reuses the row for the next message.
 */
public final class RunRow {

    private static final VarHandle SHORT = bigEndian(short[].class);
    private static final VarHandle INT = bigEndian(int[].class);
    private static final VarHandle LONG = bigEndian(long[].class);

    // PostgreSQL counts microseconds from 2000-01-01.
    private static final long EPOCH_SHIFT = 946_684_800_000_000L;
    private static final int NULL = -1;
    private static final byte[] EMPTY = {};

    private final RunColumn[] columns;
    private final int[] offsets = new int[RunColumn.values().length];
    private final int[] lengths = new int[RunColumn.values().length];
    private byte[] message = EMPTY;

    RunRow(Collection<RunColumn> columns) {
        this.columns = columns.toArray(RunColumn[]::new);
        Arrays.fill(lengths, NULL);
    }

    private static VarHandle bigEndian(Class<?> view) {
        return MethodHandles.byteArrayViewVarHandle(view, ByteOrder.BIG_ENDIAN);
    }

    /** Points this row to the tuple that starts at {@code start} and must end with the message. */
    void pointTo(byte[] tuple, int start) throws IOException {
        message = tuple;
        try {
            int fields = (short) SHORT.get(tuple, start);
            int position = start + Short.BYTES;
            if (fields != columns.length) {
                throw new IOException(
                        "PostgreSQL sent a row of " + fields + " fields instead of " + columns.length);
            }
            for (RunColumn column : columns) {
                int length = (int) INT.get(tuple, position);
                position += Integer.BYTES;
                offsets[column.ordinal()] = position;
                lengths[column.ordinal()] = length;
                position += Math.max(length, 0);
            }
            if (position != tuple.length) {
                throw new IOException("PostgreSQL sent a message whose size differs from its row");
            }
        } catch (IndexOutOfBoundsException e) {
            throw new IOException("PostgreSQL sent an incomplete row", e);
        }
    }

    /** Releases the message; the row is invalid until {@link #pointTo} is called again. */
    void clear() {
        message = EMPTY;
    }

    /** Returns the message that contains all fields. */
    public byte[] bytes() {
        return message;
    }

    /** Returns the size of the row's message. */
    public int size() {
        return message.length;
    }

    /** Returns whether the column is null or was not selected. */
    public boolean isNull(RunColumn column) {
        return lengths[column.ordinal()] == NULL;
    }

    /** Returns the run's position in reading order. */
    public Position position() {
        return new Position(Instant.EPOCH.plus(micros(RunColumn.START_TIME), ChronoUnit.MICROS), new UUID(idHigh(), idLow()));
    }

    /** Returns the most significant 64 bits of the run's id. */
    public long idHigh() {
        return number(RunColumn.ID);
    }

    /** Returns the least significant 64 bits of the run's id. */
    public long idLow() {
        return (long) LONG.get(message, offset(RunColumn.ID) + Long.BYTES);
    }

    /** Returns whether texts were replaced because the row is too large. */
    public boolean isTruncated() {
        return !isNull(RunColumn.TRUNCATED);
    }

    /** Returns the offset of the column's value in {@link #bytes()}. */
    public int offset(RunColumn column) {
        return offsets[column.ordinal()];
    }

    /** Returns the size of the column's value in bytes. */
    public int length(RunColumn column) {
        return lengths[column.ordinal()];
    }

    /** Returns the value of a {@code bigint}. */
    public long number(RunColumn column) {
        return (long) LONG.get(message, offset(column));
    }

    /** Returns the value of a {@code timestamptz} in microseconds since 1970. */
    public long micros(RunColumn column) {
        return number(column) + EPOCH_SHIFT;
    }

    /** Returns the value of a {@code numeric(18, 9)} in billionths. */
    public long billionths(RunColumn column) throws IOException {
        return BinaryNumeric.billionths(message, offset(column));
    }

    /** Passes the elements of an array to the handler, in order. */
    public void elements(RunColumn column, ElementHandler handler) {
        int position = offset(column);
        int dimensions = (int) INT.get(message, position);
        position += 3 * Integer.BYTES;
        int count = dimensions == 0 ? 0 : 1;
        for (int i = 0; i < dimensions; i++) {
            count *= (int) INT.get(message, position);
            position += 2 * Integer.BYTES;
        }
        for (int i = 0; i < count; i++) {
            int length = (int) INT.get(message, position);
            position += Integer.BYTES;
            handler.element(message, position, length);
            position += Math.max(length, 0);
        }
    }

    /** Receives the elements of an array. */
    @FunctionalInterface
    public interface ElementHandler {

        /** Receives an element; {@code length} is negative for null. */
        void element(byte[] bytes, int offset, int length);
    }

    /**
     * Parses PostgreSQL's binary {@code numeric}: the number of digits in base 10,000, the weight of the first, a sign, the
     * number of decimals and the digits.
     */
    static final class BinaryNumeric {

        private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

        private static final int NEGATIVE = 0x4000;
        private static final int HEADER = 4 * Short.BYTES;

        // The value of one unit of the digit of weight 2, 1, 0, -1, -2 in billionths; a digit of weight -3 ends in three zeros.
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
}
