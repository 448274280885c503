package dev.waybill.runtime.storage.sqlite;

import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** The current row of a query, with the column types of the schema: ids are 16 bytes, times are microseconds. */
final class SqliteRow {

    private static final int ID_BYTES = 16;

    private final ResultSet columns;

    SqliteRow(ResultSet columns) {
        this.columns = columns;
    }

    /** Converts a parameter of a statement to its stored form. */
    static @Nullable Object stored(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case UUID id -> ByteBuffer.allocate(ID_BYTES).putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits()).array();
            case Instant time -> ChronoUnit.MICROS.between(Instant.EPOCH, time);
            case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT);
            case Boolean flag -> flag ? 1 : 0;
            default -> value;
        };
    }

    String text(String column) throws SQLException {
        return present(column, columns.getString(column));
    }

    @Nullable
    String textOrNull(String column) throws SQLException {
        return columns.getString(column);
    }

    long number(String column) throws SQLException {
        return columns.getLong(column);
    }

    @Nullable
    Integer numberOrNull(String column) throws SQLException {
        int value = columns.getInt(column);
        return columns.wasNull() ? null : value;
    }

    boolean flag(String column) throws SQLException {
        return columns.getInt(column) != 0;
    }

    byte[] bytes(String column) throws SQLException {
        return present(column, columns.getBytes(column));
    }

    byte @Nullable [] bytesOrNull(String column) throws SQLException {
        return columns.getBytes(column);
    }

    UUID id(String column) throws SQLException {
        return present(column, idOrNull(column));
    }

    @Nullable
    UUID idOrNull(String column) throws SQLException {
        byte[] bytes = columns.getBytes(column);
        if (bytes == null) {
            return null;
        }
        ByteBuffer id = ByteBuffer.wrap(bytes);
        return new UUID(id.getLong(), id.getLong());
    }

    Instant time(String column) throws SQLException {
        return present(column, timeOrNull(column));
    }

    @Nullable
    Instant timeOrNull(String column) throws SQLException {
        long micros = columns.getLong(column);
        return columns.wasNull() ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    <E extends Enum<E>> E constant(Class<E> type, String column) throws SQLException {
        return Enum.valueOf(type, text(column).toUpperCase(Locale.ROOT));
    }

    <E extends Enum<E>> @Nullable E constantOrNull(Class<E> type, String column) throws SQLException {
        return columns.getString(column) == null ? null : constant(type, column);
    }

    private static <T> T present(String column, @Nullable T value) throws SQLException {
        if (value == null) {
            throw new SQLException("column " + column + " is null");
        }
        return value;
    }
}
