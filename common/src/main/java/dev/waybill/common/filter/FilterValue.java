package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

import dev.waybill.common.time.Timestamps;

/** A literal of a filter, converted to the type of the field it is compared with. */
public sealed interface FilterValue {

    /** A text that PostgreSQL can store. */
    record Text(String value) implements FilterValue {
    }

    /** A number, including seconds and token counts. */
    record Number(BigDecimal value) implements FilterValue {
    }

    /** True or false. */
    record Flag(boolean value) implements FilterValue {
    }

    /** A time in microseconds. */
    record Time(Instant value) implements FilterValue {
    }

    /** An id. */
    record Id(UUID value) implements FilterValue {
    }

    /** Returns the value to bind with the reactive client. */
    default Object bindable() {
        return switch (this) {
            case Text text -> text.value();
            case Number number -> number.value();
            case Flag flag -> flag.value();
            case Time time -> time.value().atOffset(ZoneOffset.UTC);
            case Id id -> id.value();
        };
    }

    /** Returns the value in PostgreSQL's text format. */
    default String text() {
        return switch (this) {
            case Text text -> text.value();
            case Number number -> number.value().toString();
            case Flag flag -> Boolean.toString(flag.value());
            case Time time -> Timestamps.format(time.value());
            case Id id -> id.value().toString();
        };
    }

    /** Returns the PostgreSQL type of the value. */
    default String sqlType() {
        return switch (this) {
            case Text _ -> "text";
            case Number _ -> "numeric";
            case Flag _ -> "boolean";
            case Time _ -> "timestamptz";
            case Id _ -> "uuid";
        };
    }
}
