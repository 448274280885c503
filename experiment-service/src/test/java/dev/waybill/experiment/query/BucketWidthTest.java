package dev.waybill.experiment.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BucketWidthTest {

    @ParameterizedTest
    @EnumSource
    void bucketContainsItsStartAndNotItsEnd(BucketWidth width) {
        for (Instant time : new Instant[] { Instant.parse("2026-11-20T08:00:00.123456Z"),
                Instant.parse("0001-01-01T00:00:00Z"), Instant.parse("2000-12-31T23:59:59.999999Z") }) {
            Instant start = width.start(width.index(time));

            assertThat(start).isBeforeOrEqualTo(time);
            assertThat(start.plusSeconds(width.seconds())).isAfter(time);
            assertThat(width.index(start)).isEqualTo(width.index(time));
        }
    }

    @Test
    void weeksBeginOnMondayAndDaysAtMidnightInUtc() {
        var week = BucketWidth.SEVEN_DAYS.start(BucketWidth.SEVEN_DAYS.index(Instant.parse("2026-11-20T08:00:00Z")))
                .atOffset(ZoneOffset.UTC);
        var day = BucketWidth.ONE_DAY.start(BucketWidth.ONE_DAY.index(Instant.parse("1999-02-28T23:59:59Z")))
                .atOffset(ZoneOffset.UTC);

        assertThat(week.getDayOfWeek()).isEqualTo(DayOfWeek.MONDAY);
        assertThat(week.toLocalTime()).isEqualTo(LocalTime.MIDNIGHT);
        assertThat(day.toInstant()).isEqualTo("1999-02-28T00:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({ "2026-11-20T08:00:00Z, 2026-11-20T08:00:00.000001Z, 60, 1m",
            "2026-11-20T08:00:00Z, 2026-11-20T09:00:00Z, 60, 1m",
            "2026-11-20T08:00:30Z, 2026-11-20T09:00:30Z, 60, 5m", "2026-11-20T00:00:00Z, 2026-11-21T00:00:00Z, 24, 1h",
            "2026-11-01T00:00:00Z, 2026-12-01T00:00:00Z, 30, 1d", "2026-11-01T00:00:00Z, 2026-12-01T00:00:00Z, 1, 365d" })
    void smallestWidthThatFitsIsChosen(Instant start, Instant end, int maxBuckets, String expected) {
        assertThat(BucketWidth.smallest(start, end, maxBuckets)).map(BucketWidth::wireName).contains(expected);
    }

    @Test
    void noWidthFitsMoreYearsThanBuckets() {
        assertThat(BucketWidth.smallest(Instant.parse("1000-01-01T00:00:00Z"), Instant.parse("2026-01-01T00:00:00Z"), 200))
                .isEmpty();
    }
}
