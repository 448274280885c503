package dev.waybill.local.traces;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The day that contains the rows, and fractions of it as ranges of exports. */
public final class TraceDay {

    public static final LocalDate DATE = LocalDate.of(2026, 3, 2);

    private TraceDay() {
    }

    public static Instant start() {
        return DATE.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Returns the end of the first of {@code parts} equal parts of the day. */
    public static Instant endOf(int parts) {
        return start().plus(Duration.ofDays(1).dividedBy(parts));
    }

    public static Instant end() {
        return endOf(1);
    }
}
