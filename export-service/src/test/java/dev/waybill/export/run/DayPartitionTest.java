package dev.waybill.export.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DayPartitionTest {

    @Test
    void rangeWithinOneDayIsOnePartition() {
        // Given
        Instant from = Instant.parse("2026-01-05T08:30:00.000001Z");
        Instant to = Instant.parse("2026-01-05T08:30:00.000002Z");

        // When
        List<DayPartition> days = DayPartition.of(from, to);

        // Then
        assertThat(days).containsExactly(new DayPartition(0, from, to));
    }

    @Test
    void onlyFirstAndLastDayAreClipped() {
        // Given
        Instant from = Instant.parse("2026-02-27T18:00:00Z");
        Instant to = Instant.parse("2026-03-01T06:00:00Z");

        // When
        List<DayPartition> days = DayPartition.of(from, to);

        // Then
        assertThat(days).containsExactly(
                new DayPartition(0, from, Instant.parse("2026-02-28T00:00:00Z")),
                new DayPartition(1, Instant.parse("2026-02-28T00:00:00Z"), Instant.parse("2026-03-01T00:00:00Z")),
                new DayPartition(2, Instant.parse("2026-03-01T00:00:00Z"), to));
    }

    @ParameterizedTest
    @CsvSource({
            "2026-01-05T00:00:00Z, 2026-01-06T00:00:00Z, 1",
            "2026-01-05T00:00:00Z, 2026-01-06T00:00:00.000001Z, 2",
            "2026-01-05T23:59:59.999999Z, 2026-01-06T00:00:00Z, 1",
            "2024-02-28T00:00:00Z, 2024-03-01T00:00:00Z, 2",
            "1969-12-31T12:00:00Z, 1970-01-01T12:00:00Z, 2",
            "0001-01-01T00:00:00Z, 9999-12-31T23:59:59.999999Z, 3652059" })
    void daysAreCountedWithoutMakingThem(Instant from, Instant to, long expected) {
        // When
        long count = DayPartition.count(from, to);

        // Then
        assertThat(count).isEqualTo(expected);
    }

    @Test
    void partitionsCoverTheRangeWithoutGapOrOverlap() {
        // Given
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        for (int i = 0; i < 500; i++) {
            Instant from = Instant.EPOCH.plus(random.nextLong(-2_000_000_000_000_000L, 2_000_000_000_000_000L),
                    ChronoUnit.MICROS);
            Instant to = from.plus(random.nextLong(1, Duration.ofDays(40).toMillis() * 1000), ChronoUnit.MICROS);

            // When
            List<DayPartition> days = DayPartition.of(from, to);

            // Then
            assertThat(days).as("%s to %s", from, to).hasSize((int) DayPartition.count(from, to));
            assertThat(days.getFirst().startTime()).isEqualTo(from);
            assertThat(days.getLast().endTime()).isEqualTo(to);
            for (int n = 0; n < days.size(); n++) {
                DayPartition day = days.get(n);
                assertThat(day.position()).isEqualTo(n);
                assertThat(day.startTime()).isBefore(day.endTime());
                assertThat(day.startTime().truncatedTo(ChronoUnit.DAYS))
                        .isEqualTo(day.endTime().minus(1, ChronoUnit.MICROS).truncatedTo(ChronoUnit.DAYS));
                if (n > 0) {
                    assertThat(day.startTime()).isEqualTo(days.get(n - 1).endTime());
                }
            }
        }
    }
}
