package dev.waybill.common.database;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowIterator;
import io.vertx.mutiny.sqlclient.RowSet;

/** Maps the rows of a result. */
public final class Rows {

    private Rows() {
    }

    /** Returns all rows in their order. */
    public static <T> List<T> list(RowSet<Row> rows, Function<Row, T> mapper) {
        return rows.stream().map(mapper).toList();
    }

    /** Returns the first row; null if there is none. */
    public static <T> @Nullable T first(RowSet<Row> rows, Function<Row, T> mapper) {
        RowIterator<Row> found = rows.iterator();
        return found.hasNext() ? mapper.apply(found.next()) : null;
    }

    /** Returns the first row; empty if there is none. */
    public static <T> Optional<T> findFirst(RowSet<Row> rows, Function<Row, T> mapper) {
        return Optional.ofNullable(first(rows, mapper));
    }

    /** Returns a time of a column that is never NULL. */
    public static Instant requireInstant(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }

    /** Returns a time; null for NULL. */
    public static @Nullable Instant instant(Row row, String column) {
        OffsetDateTime time = row.getOffsetDateTime(column);
        return time == null ? null : time.toInstant();
    }

    /** Returns binary data; null for NULL. */
    public static byte @Nullable [] bytes(Row row, String column) {
        Buffer bytes = (Buffer) row.getValue(column);
        return bytes == null ? null : bytes.getBytes();
    }
}
