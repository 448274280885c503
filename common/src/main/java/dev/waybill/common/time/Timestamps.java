package dev.waybill.common.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;

/** ISO 8601 timestamps: a timestamp without an offset is UTC; responses are UTC with microseconds. */
public final class Timestamps {

    private static final DateTimeFormatter WIRE = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
            .withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter COMPACT = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSSSSS'Z'")
            .withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter LENIENT = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .optionalStart().appendLiteral('T').optionalEnd()
            .optionalStart().appendLiteral(' ').optionalEnd()
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .optionalStart().appendOffset("+HH:MM", "Z").optionalEnd()
            .optionalStart().appendOffset("+HHMM", "Z").optionalEnd()
            .optionalStart().appendOffset("+HH", "Z").optionalEnd()
            .toFormatter()
            .withResolverStyle(ResolverStyle.STRICT);

    // The range that PostgreSQL, Parquet readers and four-digit years support.
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private Timestamps() {
    }

    /** Formats the instant for a response, for example {@code 2026-11-21T08:00:00.000000Z}. */
    public static String format(Instant instant) {
        return WIRE.format(instant);
    }

    /** Formats the instant for {@code dotted_order}, for example {@code 20261121T080000000000Z}. */
    public static String compact(Instant instant) {
        return COMPACT.format(instant);
    }

    /**
     * Parses an ISO 8601 timestamp and truncates it to microseconds.
     *
     * @throws DateTimeParseException if the text is not a timestamp or is outside the years 1 to 9999
     */
    public static Instant parse(String text) {
        Instant fast = FastTimestampParser.parse(text);
        Instant instant = fast == null ? parseLeniently(text) : fast;
        return inRange(instant.truncatedTo(ChronoUnit.MICROS), text);
    }

    static Instant parseLeniently(String text) {
        TemporalAccessor parsed = LENIENT.parseBest(text.strip(), OffsetDateTime::from, LocalDateTime::from);
        return parsed instanceof OffsetDateTime offset
                ? offset.toInstant()
                : ((LocalDateTime) parsed).toInstant(ZoneOffset.UTC);
    }

    /** Returns the instant of a number of milliseconds since the epoch, rounded to microseconds. */
    public static Instant ofEpochMillis(double millis) {
        if (Double.isNaN(millis) || Math.abs(millis) > 1e15) {
            throw new DateTimeException("not a timestamp in milliseconds since 1970: " + millis);
        }
        long micros = Math.round(millis * 1000);
        Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        return inRange(instant, Double.toString(millis));
    }

    private static Instant inRange(Instant instant, String text) {
        if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
            throw new DateTimeParseException("outside the years 1 to 9999", text, 0);
        }
        return instant;
    }
}
