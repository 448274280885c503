package dev.waybill.export.run;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A UTC day cut to the range of its export (contract.md "Bulk export"), half open.
 *
 * @param position index within the export, from 0
 */
record DayPartition(int position, Instant startTime, Instant endTime) {

    private static final Duration LENGTH = Duration.ofDays(1);

    /** Returns the number of UTC days that the range overlaps, in constant time. */
    static long count(Instant startTime, Instant endTime) {
        Instant lastTouched = endTime.minus(1, ChronoUnit.MICROS);
        return ChronoUnit.DAYS.between(date(startTime), date(lastTouched)) + 1;
    }

    /** Returns the days of a range in order; they cover it without gap or overlap. */
    static List<DayPartition> of(Instant startTime, Instant endTime) {
        Instant midnight = startTime.truncatedTo(ChronoUnit.DAYS);
        return LongStream.range(0, count(startTime, endTime))
                .mapToObj(n -> new DayPartition((int) n,
                        max(startTime, midnight.plus(LENGTH.multipliedBy(n))),
                        min(endTime, midnight.plus(LENGTH.multipliedBy(n + 1)))))
                .toList();
    }

    /** Returns the days of the range from the day of {@code first} to the day of {@code last}, clipped to the range. */
    static List<DayPartition> between(Instant startTime, Instant endTime, Instant first, Instant last) {
        Instant lastOfRange = endTime.minus(1, ChronoUnit.MICROS);
        Instant from = min(first, lastOfRange).truncatedTo(ChronoUnit.DAYS);
        Instant until = min(last, lastOfRange).truncatedTo(ChronoUnit.DAYS).plus(LENGTH);
        return of(max(startTime, from), min(endTime, until));
    }

    private static LocalDate date(Instant instant) {
        return LocalDate.ofInstant(instant, ZoneOffset.UTC);
    }

    private static Instant max(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant min(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
