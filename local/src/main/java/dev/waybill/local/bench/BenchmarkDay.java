package dev.waybill.local.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The day that contains the rows, and fractions of it as ranges of exports. */
final class BenchmarkDay {

    static final LocalDate DATE = LocalDate.of(2026, 3, 2);

    private BenchmarkDay() {
    }

    static Instant start() {
        return DATE.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Returns the end of the first of {@code parts} equal parts of the day. */
    static Instant endOf(int parts) {
        return start().plus(Duration.ofDays(1).dividedBy(parts));
    }

    static Instant end() {
        return endOf(1);
    }
}
