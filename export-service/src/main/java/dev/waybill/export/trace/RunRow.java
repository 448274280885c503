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
 * One run as it came over the wire in PostgreSQL's binary format. It is a view: fields stay where they arrived and no
 * object is made for them, and the reader points the same row at the next message.
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

    /** Points this row at the tuple that begins at {@code start} and must end where the message does. */
    void pointTo(byte[] tuple, int start) throws IOException {
        message = tuple;
        try {
            int fields = (short) SHORT.get(tuple, start);
            int position = start + Short.BYTES;
            if (fields != columns.length) {
                throw new IOException(
                        "PostgreSQL sent a row of " + fields + " fields where " + columns.length + " were asked for");
            }
            for (RunColumn column : columns) {
                int length = (int) INT.get(tuple, position);
                position += Integer.BYTES;
                offsets[column.ordinal()] = position;
                lengths[column.ordinal()] = length;
                position += Math.max(length, 0);
            }
            if (position != tuple.length) {
                throw new IOException("PostgreSQL sent a message that is not exactly one row");
            }
        } catch (IndexOutOfBoundsException e) {
            throw new IOException("PostgreSQL sent a row that ends early", e);
        }
    }

    /** Lets go of the bytes; there is nothing to be read until it is pointed to others. */
    void clear() {
        message = EMPTY;
    }

    /** The bytes that all fields lie in. */
    public byte[] bytes() {
        return message;
    }

    /** How many bytes this row came in. */
    public int size() {
        return message.length;
    }

    /** Whether the column is null, or was not read. */
    public boolean isNull(RunColumn column) {
        return lengths[column.ordinal()] == NULL;
    }

    /** Where the run is in the order of reading. */
    public Position position() {
        return new Position(Instant.EPOCH.plus(micros(RunColumn.START_TIME), ChronoUnit.MICROS), new UUID(idHigh(), idLow()));
    }

    /** The first half of the run's id. */
    public long idHigh() {
        return number(RunColumn.ID);
    }

    /** The second half of the run's id. */
    public long idLow() {
        return (long) LONG.get(message, offset(RunColumn.ID) + Long.BYTES);
    }

    /** Whether texts of the run were replaced because the row would be too large. */
    public boolean isTruncated() {
        return !isNull(RunColumn.TRUNCATED);
    }

    /** Where the column's value begins in {@link #bytes()}. */
    public int offset(RunColumn column) {
        return offsets[column.ordinal()];
    }

    /** How many bytes the column's value takes. */
    public int length(RunColumn column) {
        return lengths[column.ordinal()];
    }

    /** A {@code bigint}. */
    public long number(RunColumn column) {
        return (long) LONG.get(message, offset(column));
    }

    /** A {@code timestamptz} in microseconds since 1970. */
    public long micros(RunColumn column) {
        return number(column) + EPOCH_SHIFT;
    }

    /** A {@code numeric(18, 9)} in billionths. */
    public long billionths(RunColumn column) throws IOException {
        return BinaryNumeric.billionths(message, offset(column));
    }

    /** Hands over the elements of an array, in order. */
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

    /** Takes the elements of an array. */
    @FunctionalInterface
    public interface ElementHandler {

        /** Takes an element; its length is negative when it is null. */
        void element(byte[] bytes, int offset, int length);
    }
}
