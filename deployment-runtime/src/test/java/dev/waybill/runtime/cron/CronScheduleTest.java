package dev.waybill.runtime.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** Dates of crons when summer time begins and ends. */
class CronScheduleTest {

    @Test
    void dateThatSummerTimeSkipsIsTheMomentOfTheChange() {
        assertThat(dates("30 2 * * *", "Europe/Berlin", "2027-03-27T12:00:00Z", 2))
                .containsExactly("2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z");
        assertThat(dates("0 0 * * *", "America/Santiago", "2027-09-04T12:00:00Z", 2))
                .containsExactly("2027-09-05T04:00:00Z", "2027-09-06T03:00:00Z");
    }

    @Test
    void skippedDatesAndThatOfTheChangeAreOne() {
        assertThat(dates("0,30 2,3 * * *", "Europe/Berlin", "2027-03-28T00:00:00Z", 2))
                .containsExactly("2027-03-28T01:00:00Z", "2027-03-28T01:30:00Z");
    }

    @Test
    void cronOfEachHourHasNoDateForASkippedOne() {
        assertThat(dates("30 * * * *", "Europe/Berlin", "2027-03-28T00:00:00Z", 3))
                .containsExactly("2027-03-28T00:30:00Z", "2027-03-28T01:30:00Z", "2027-03-28T02:30:00Z");
        assertThat(dates("30 */2 * * *", "Europe/Berlin", "2027-03-28T00:00:00Z", 1))
                .containsExactly("2027-03-28T02:30:00Z");
    }

    @Test
    void cronOfOtherDaysIgnoresTheChange() {
        assertThat(dates("30 2 * * MON", "Europe/Berlin", "2027-03-27T12:00:00Z", 1)).containsExactly("2027-03-29T00:30:00Z");
    }

    @Test
    void cronWithoutADateHasNone() {
        assertThat(schedule("0 2 30 2 *", "Europe/Berlin").nextAfter(Instant.parse("2027-03-27T12:00:00Z"))).isNull();
    }

    private static List<String> dates(String expression, String zone, String after, int count) {
        CronSchedule schedule = schedule(expression, zone);
        return Stream.iterate(Instant.parse(after), time -> Objects.requireNonNull(schedule.nextAfter(time))).skip(1)
                .limit(count)
                .map(Instant::toString).toList();
    }

    private static CronSchedule schedule(String expression, String zone) {
        return CronSchedule.parse(expression, zone).orElseThrow();
    }
}
