package dev.waybill.experiment.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.waybill.experiment.summary.ClosedHours.Observation;

class ClosedHoursTest {

    private final ClosedHours hours = new ClosedHours();

    @Test
    void hourIsClosedMinutesAfterItsEnd() {
        observe("13:04:59", 10, 10);
        assertThat(hours.until()).contains(time("12:00:00"));
        observe("13:05:00", 10, 10);
        assertThat(hours.until()).contains(time("13:00:00"));
    }

    @Test
    void earlierTransactionsKeepTheHourOpen() {
        // Given
        observe("12:59:00", 10, 12);
        assertThat(hours.until()).isEmpty();

        // When
        observe("13:06:00", 10, 20);
        observe("14:06:00", 10, 40);

        // Then
        assertThat(hours.until()).isEmpty();
        observe("14:07:00", 19, 41);
        assertThat(hours.until()).contains(time("12:00:00"));
        observe("14:08:00", 20, 42);
        assertThat(hours.until()).contains(time("13:00:00"));
    }

    @Test
    void clockThatIsSetBackReopensHours() {
        // Given
        observe("13:30:00", 10, 10);

        // Then
        assertThat(hours.observe(observation("12:20:00", 11, 12))).isTrue();
        assertThat(hours.until()).isEmpty();
        assertThat(hours.observe(observation("12:20:10", 12, 12))).isFalse();
        assertThat(hours.until()).contains(time("12:00:00"));
    }

    private void observe(String time, long oldestId, long nextId) {
        assertThat(hours.observe(observation(time, oldestId, nextId))).isFalse();
    }

    private static Observation observation(String time, long oldestId, long nextId) {
        return new Observation(time(time), oldestId, nextId);
    }

    private static Instant time(String time) {
        return Instant.parse("2026-11-29T" + time + "Z");
    }
}
