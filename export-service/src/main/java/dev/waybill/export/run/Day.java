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
 * @param position the how-manieth of the export, from 0
 */
record Day(int position, Instant startTime, Instant endTime) {

    private static final Duration LENGTH = Duration.ofDays(1);

    /** How many UTC days the range touches; cheap for ranges of any length. */
    static long count(Instant startTime, Instant endTime) {
        Instant lastTouched = endTime.minus(1, ChronoUnit.MICROS);
        return ChronoUnit.DAYS.between(date(startTime), date(lastTouched)) + 1;
    }

    /** The days of a range in order; together they are the range, without gap or overlap. */
    static List<Day> of(Instant startTime, Instant endTime) {
        Instant midnight = startTime.truncatedTo(ChronoUnit.DAYS);
        return LongStream.range(0, count(startTime, endTime))
                .mapToObj(n -> new Day((int) n,
                        later(startTime, midnight.plus(LENGTH.multipliedBy(n))),
                        earlier(endTime, midnight.plus(LENGTH.multipliedBy(n + 1)))))
                .toList();
    }

    /** The days of the range from that of {@code first} to that of {@code last}, which both may lie at the range's edges. */
    static List<Day> between(Instant startTime, Instant endTime, Instant first, Instant last) {
        Instant lastOfRange = endTime.minus(1, ChronoUnit.MICROS);
        Instant from = earlier(first, lastOfRange).truncatedTo(ChronoUnit.DAYS);
        Instant until = earlier(last, lastOfRange).truncatedTo(ChronoUnit.DAYS).plus(LENGTH);
        return of(later(startTime, from), earlier(endTime, until));
    }

    private static LocalDate date(Instant instant) {
        return LocalDate.ofInstant(instant, ZoneOffset.UTC);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
