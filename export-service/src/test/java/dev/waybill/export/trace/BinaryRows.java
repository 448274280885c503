package dev.waybill.export.trace;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** Creates rows in PostgreSQL's binary format from Java values. */
public final class BinaryRows {

    private static final Instant POSTGRES_EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    private BinaryRows() {
    }

    /** Returns a row with these values; every other column is null. */
    public static RunRow of(Map<RunColumn, ?> values) {
        EnumSet<RunColumn> columns = EnumSet.allOf(RunColumn.class);
        try {
            var bytes = new ByteArrayOutputStream();
            var out = new DataOutputStream(bytes);
            out.writeShort(columns.size());
            for (RunColumn column : columns) {
                writeField(out, values.get(column));
            }
            RunRow row = new RunRow(columns);
            row.pointTo(bytes.toByteArray(), 0);
            return row;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the id of a row. */
    public static UUID id(RunRow row) {
        ByteBuffer id = ByteBuffer.wrap(row.bytes(), row.offset(RunColumn.ID), row.length(RunColumn.ID));
        return new UUID(id.getLong(), id.getLong());
    }

    private static void writeField(DataOutputStream out, @Nullable Object value) throws IOException {
        if (value == null) {
            out.writeInt(-1);
            return;
        }
        byte[] bytes = bytes(value);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] bytes(Object value) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        switch (value) {
            case String text -> out.write(text.getBytes(StandardCharsets.UTF_8));
            case Boolean flag -> out.writeBoolean(flag);
            case Long number -> out.writeLong(number);
            case Instant time -> out.writeLong(ChronoUnit.MICROS.between(POSTGRES_EPOCH, time));
            case BigDecimal cost -> writeNumeric(out, cost);
            case List<?> list -> writeArray(out, list);
            case UUID id -> {
                out.writeLong(id.getMostSignificantBits());
                out.writeLong(id.getLeastSignificantBits());
            }
            default -> throw new IllegalArgumentException("no column has the type " + value.getClass());
        }
        return bytes.toByteArray();
    }

    private static void writeNumeric(DataOutputStream out, BigDecimal value) throws IOException {
        // Six digits of base 10,000: three before the decimal point, three after it.
        String digits = String.format(Locale.ROOT, "%024d", value.abs().movePointRight(12).toBigIntegerExact());
        out.writeShort(6);
        out.writeShort(2);
        out.writeShort(value.signum() < 0 ? 0x4000 : 0);
        out.writeShort(9);
        for (int at = 0; at < digits.length(); at += 4) {
            out.writeShort(Integer.parseInt(digits.substring(at, at + 4)));
        }
    }

    private static void writeArray(DataOutputStream out, List<?> elements) throws IOException {
        out.writeInt(elements.isEmpty() ? 0 : 1);
        out.writeInt(elements.stream().anyMatch(Objects::isNull) ? 1 : 0);
        out.writeInt(25);
        if (elements.isEmpty()) {
            return;
        }
        out.writeInt(elements.size());
        out.writeInt(1);
        for (Object element : elements) {
            writeField(out, element);
        }
    }
}
