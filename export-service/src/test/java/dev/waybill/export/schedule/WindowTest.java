package dev.waybill.export.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.export.schedule.Schedule.Window;

class WindowTest {

    private static final Duration DELAY = Duration.ofMinutes(10);

    // The first three are the examples of interface.md 4.2 rule 6; then daylight saving, ends of months and leap years.
    @ParameterizedTest
    @CsvSource({
            "2026-01-05T00:00:00Z, 6, 1, 2026-01-05T00:00:00Z, 2026-01-05T06:00:00Z, 2026-01-05T06:10:00Z",
            "2026-01-05T00:00:00Z, 6, 2, 2026-01-05T06:00:00Z, 2026-01-05T12:00:00Z, 2026-01-05T12:10:00Z",
            "2026-01-05T00:00:00Z, 6, 3, 2026-01-05T12:00:00Z, 2026-01-05T18:00:00Z, 2026-01-05T18:10:00Z",
            "2026-03-28T22:30:00Z, 24, 1, 2026-03-28T22:30:00Z, 2026-03-29T22:30:00Z, 2026-03-29T22:40:00Z",
            "2026-10-25T00:30:00Z, 1, 2, 2026-10-25T01:30:00Z, 2026-10-25T02:30:00Z, 2026-10-25T02:40:00Z",
            "2028-02-28T12:00:00Z, 24, 2, 2028-02-29T12:00:00Z, 2028-03-01T12:00:00Z, 2028-03-01T12:10:00Z",
            "2026-01-31T23:59:59.999999Z, 168, 1, 2026-01-31T23:59:59.999999Z, 2026-02-07T23:59:59.999999Z, 2026-02-08T00:09:59.999999Z",
            "2026-12-31T23:00:00Z, 1, 1, 2026-12-31T23:00:00Z, 2027-01-01T00:00:00Z, 2027-01-01T00:10:00Z",
            "2016-01-05T00:00:00Z, 1, 87673, 2026-01-05T00:00:00Z, 2026-01-05T01:00:00Z, 2026-01-05T01:10:00Z" })
    void windowNIsArithmeticOnTheStart(Instant start, int hours, long number, Instant from, Instant to, Instant due) {
        // When
        Window window = Window.of(start, Duration.ofHours(hours), number);

        // Then
        assertThat(window).isEqualTo(new Window(number, from, to));
        assertThat(window.isDue(due.minusNanos(1000), DELAY)).isFalse();
        assertThat(window.isDue(due, DELAY)).isTrue();
    }

    @Test
    void boundaryBelongsToTheLaterWindow() {
        // Given
        Window first = Window.of(Instant.EPOCH, Duration.ofHours(1), 1);

        // When
        Window second = Window.of(Instant.EPOCH, Duration.ofHours(1), 2);

        // Then
        assertThat(second.startTime()).isEqualTo(first.endTime());
    }
}
