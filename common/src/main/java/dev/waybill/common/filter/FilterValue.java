package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

import dev.waybill.common.time.Timestamps;

/** A value that a filter compares with, of the type of what it is compared to. */
public sealed interface FilterValue {

    /** A text that PostgreSQL can hold. */
    record Text(String value) implements FilterValue {
    }

    /** A number, also of seconds or of tokens. */
    record Number(BigDecimal value) implements FilterValue {
    }

    /** True or false. */
    record Flag(boolean value) implements FilterValue {
    }

    /** A time, to the microsecond. */
    record Time(Instant value) implements FilterValue {
    }

    /** An id. */
    record Id(UUID value) implements FilterValue {
    }

    /** The value as the reactive client binds it. */
    default Object bindable() {
        return switch (this) {
            case Text text -> text.value();
            case Number number -> number.value();
            case Flag flag -> flag.value();
            case Time time -> time.value().atOffset(ZoneOffset.UTC);
            case Id id -> id.value();
        };
    }

    /** The value as PostgreSQL reads it from text. */
    default String text() {
        return switch (this) {
            case Text text -> text.value();
            case Number number -> number.value().toString();
            case Flag flag -> Boolean.toString(flag.value());
            case Time time -> Timestamps.format(time.value());
            case Id id -> id.value().toString();
        };
    }

    /** The value's type in PostgreSQL. */
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
