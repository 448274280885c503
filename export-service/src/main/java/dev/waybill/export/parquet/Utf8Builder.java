package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.Arrays;

/** Builds the text of a value in one reusable buffer, so that no String is created between PostgreSQL and a page. */
final class Utf8Builder {

    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final short[] HEX_PAIRS = hexPairs();
    private static final byte[] MIN_LONG = Long.toString(Long.MIN_VALUE).getBytes(US_ASCII);
    static final int UUID_LENGTH = 36;
    private static final int UUID_BYTES = 16;
    private static final long MICROS_PER_DAY = 86_400_000_000L;
    // The days of 0001-01-01 and 9999-12-31, the years that ISO 8601 writes with four digits.
    private static final long FIRST_DAY = -719_162;
    private static final long LAST_DAY = 2_932_896;

    private byte[] bytes = new byte[256];
    private int length;
    private long cachedDay = Long.MIN_VALUE;
    private byte[] cachedDayText = {};

    private static short[] hexPairs() {
        short[] pairs = new short[256];
        for (int octet = 0; octet < pairs.length; octet++) {
            pairs[octet] = (short) (HEX[octet & 0xf] << 8 | HEX[octet >> 4]);
        }
        return pairs;
    }

    Utf8Builder clear() {
        length = 0;
        return this;
    }

    void writeTo(TextColumn column) {
        column.write(bytes, 0, length);
    }

    boolean endsWith(byte character) {
        return length > 0 && bytes[length - 1] == character;
    }

    Utf8Builder ascii(byte character) {
        ensureCapacity(1);
        bytes[length++] = character;
        return this;
    }

    Utf8Builder raw(byte[] text) {
        return raw(text, 0, text.length);
    }

    Utf8Builder raw(byte[] text, int offset, int count) {
        ensureCapacity(count);
        System.arraycopy(text, offset, bytes, length, count);
        length += count;
        return this;
    }

    Utf8Builder uuid(byte[] source, int offset) {
        ensureCapacity(UUID_LENGTH);
        uuid(source, offset, bytes, length);
        length += UUID_LENGTH;
        return this;
    }

    /** Writes the text form of a UUID of sixteen bytes. */
    static void uuid(byte[] source, int offset, byte[] target, int start) {
        int at = start;
        for (int i = 0; i < UUID_BYTES; i++) {
            if (i == 4 || i == 6 || i == 8 || i == 10) {
                target[at++] = '-';
            }
            SHORT.set(target, at, HEX_PAIRS[source[offset + i] & 0xff]);
            at += Short.BYTES;
        }
    }

    /** Appends microseconds since 1970 as ISO 8601 in UTC. */
    Utf8Builder time(long micros) {
        long day = Math.floorDiv(micros, MICROS_PER_DAY);
        long ofDay = micros - day * MICROS_PER_DAY;
        int seconds = (int) (ofDay / 1_000_000);
        return raw(day(day))
                .ascii((byte) 'T')
                .digits(seconds / 3600, 2)
                .ascii((byte) ':')
                .digits(seconds / 60 % 60, 2)
                .ascii((byte) ':')
                .digits(seconds % 60, 2)
                .ascii((byte) '.')
                .digits((int) (ofDay % 1_000_000), 6)
                .ascii((byte) 'Z');
    }

    // Rows are sorted by time, so the day rarely changes.
    private byte[] day(long day) {
        if (day != cachedDay) {
            if (day < FIRST_DAY || day > LAST_DAY) {
                throw new ArithmeticException("a time outside the years 1 to 9999 cannot be exported");
            }
            cachedDayText = LocalDate.ofEpochDay(day).toString().getBytes(US_ASCII);
            cachedDay = day;
        }
        return cachedDayText;
    }

    Utf8Builder number(long value) {
        if (value == Long.MIN_VALUE) {
            return raw(MIN_LONG);
        }
        if (value < 0) {
            ascii((byte) '-');
        }
        long rest = Math.abs(value);
        int digits = 1;
        for (long over = rest / 10; over > 0; over /= 10) {
            digits++;
        }
        return digits(rest, digits);
    }

    /** Appends a decimal number, given as a multiple of its smallest unit, without trailing zeros. */
    Utf8Builder decimal(long unscaled, int scale) {
        long unit = 1;
        for (int i = 0; i < scale; i++) {
            unit *= 10;
        }
        long fraction = Math.abs(unscaled % unit);
        if (unscaled < 0 && unscaled > -unit) {
            ascii((byte) '-');
        }
        number(unscaled / unit);
        if (fraction == 0) {
            return this;
        }
        ascii((byte) '.').digits(fraction, scale);
        while (bytes[length - 1] == '0') {
            length--;
        }
        return this;
    }

    /** Appends UTF-8 text as a JSON string. */
    Utf8Builder json(byte[] source, int offset, int count) {
        ensureCapacity(6 * count + 2);
        ascii((byte) '"');
        for (int i = offset; i < offset + count; i++) {
            byte octet = source[i];
            if (octet == '"' || octet == '\\') {
                ascii((byte) '\\').ascii(octet);
            } else if (octet >= 0 && octet < ' ') {
                raw(new byte[] { '\\', 'u', '0', '0', HEX[octet >> 4], HEX[octet & 0xf] });
            } else {
                ascii(octet);
            }
        }
        return ascii((byte) '"');
    }

    private Utf8Builder digits(long value, int count) {
        ensureCapacity(count);
        long rest = value;
        for (int at = length + count - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += count;
        return this;
    }

    private void ensureCapacity(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
    }
}
