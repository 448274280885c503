package dev.waybill.local.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The day that the rows are in, and pieces of it: what an export's range cuts out of the same rows. */
final class BenchmarkDay {

    static final LocalDate DATE = LocalDate.of(2026, 3, 2);

    private BenchmarkDay() {
    }

    static Instant start() {
        return DATE.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** @return the end of the day's first n-th */
    static Instant endOf(int parts) {
        return start().plus(Duration.ofDays(1).dividedBy(parts));
    }

    static Instant end() {
        return endOf(1);
    }
}
