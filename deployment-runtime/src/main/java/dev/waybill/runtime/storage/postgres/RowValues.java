package dev.waybill.runtime.storage.postgres;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/** Conversions between the port's values and columns. */
final class RowValues {

    private RowValues() {
    }

    static <T> List<T> list(RowSet<Row> rows, Function<Row, T> mapper) {
        return rows.stream().map(mapper).toList();
    }

    /** Returns a column of rows as an array parameter. */
    static <T, V> V[] array(Collection<T> rows, IntFunction<V[]> type, Function<T, @Nullable V> column) {
        // Not a stream: a statement has up to forty such parameters.
        V[] values = type.apply(rows.size());
        int next = 0;
        for (T row : rows) {
            values[next++] = column.apply(row);
        }
        return values;
    }

    static <T> Optional<T> first(RowSet<Row> rows, Function<Row, T> mapper) {
        return rows.stream().findFirst().map(mapper);
    }

    static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static @Nullable String textOrNull(@Nullable Enum<?> constant) {
        return constant == null ? null : text(constant);
    }

    static <E extends Enum<E>> E constant(Class<E> type, Row row, String column) {
        return Enum.valueOf(type, row.getString(column).toUpperCase(Locale.ROOT));
    }

    static <E extends Enum<E>> @Nullable E constantOrNull(Class<E> type, Row row, String column) {
        return row.getString(column) == null ? null : constant(type, row, column);
    }

    static @Nullable OffsetDateTime time(@Nullable Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }

    static Instant time(Row row, String column) {
        return row.getOffsetDateTime(column).toInstant();
    }

    static @Nullable Instant timeOrNull(Row row, String column) {
        return row.getOffsetDateTime(column) == null ? null : time(row, column);
    }

    static @Nullable Buffer buffer(byte @Nullable [] bytes) {
        return bytes == null ? null : Buffer.buffer(bytes);
    }

    static byte[] bytes(Row row, String column) {
        return row.get(Buffer.class, column).getBytes();
    }

    static byte @Nullable [] bytesOrNull(Row row, String column) {
        return row.getValue(column) == null ? null : bytes(row, column);
    }

    /** Returns an object with one member. */
    static String contained(String member, JsonNode value) {
        return JsonNodeFactory.instance.objectNode().set(member, value).toString();
    }
}
