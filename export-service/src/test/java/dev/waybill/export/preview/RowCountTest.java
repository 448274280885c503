package dev.waybill.export.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.export.preview.RunCounter.SliceCount;
import dev.waybill.export.preview.RunCounter.TimeSlice;

class RowCountTest {

    private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
    private static final TimeSlice HOUR = new TimeSlice(START, START.plusSeconds(3_600));

    @ParameterizedTest
    @CsvSource({ "1, 1", "7, 7", "20, 20", "39, 20", "1000003, 20", "86400000000, 20" })
    void slicesCoverTheRangeWithoutGapsOrOverlaps(long micros, int slices) {
        // Given
        Instant end = START.plus(micros, ChronoUnit.MICROS);

        // When
        List<TimeSlice> slicesOfRange = TimeSlice.of(START, end, 20);

        // Then
        assertThat(slicesOfRange).hasSize(slices);
        assertThat(slicesOfRange.getFirst().startTime()).isEqualTo(START);
        assertThat(slicesOfRange.getLast().endTime()).isEqualTo(end);
        for (int i = 1; i < slicesOfRange.size(); i++) {
            assertThat(slicesOfRange.get(i).startTime()).isEqualTo(slicesOfRange.get(i - 1).endTime());
        }
        assertThat(slicesOfRange).allSatisfy(slice -> assertThat(slice.micros()).isPositive());
    }

    @Test
    void longestRangeCanBeSliced() {
        // Given
        Instant first = Instant.parse("0001-01-01T00:00:00Z");
        Instant last = Instant.parse("9999-12-31T23:59:59.999999Z");

        // When
        List<TimeSlice> slicesOfRange = TimeSlice.of(first, last, 20);

        // Then
        assertThat(slicesOfRange).hasSize(20);
        assertThat(slicesOfRange.getLast().endTime()).isEqualTo(last);
        assertThat(slicesOfRange.getFirst().micros()).isCloseTo(slicesOfRange.getLast().micros(), within(1L));
    }

    @Test
    void rowsBelowTheLimitAreCountedExactly() {
        // When
        RowCount count = RowCount.ofAll(List.of(slice(9, 60, 0, 0), slice(0, null, 0, 0), slice(3, 5, 0, 0)), 10);

        // Then
        assertThat(count).isEqualTo(new RowCount(12, true));
    }

    @Test
    void fullSliceIsExtrapolatedByItsDensity() {
        // When: ten rows in a sixth of the slice
        RowCount count = RowCount.ofAll(List.of(slice(10, 600, 0, 0), slice(4, 600, 0, 0)), 10);

        // Then
        assertThat(count).isEqualTo(new RowCount(64, false));
    }

    @Test
    void extrapolationOfSimultaneousRunsIsLimited() {
        // When
        RowCount count = RowCount.ofAll(List.of(slice(10, 0, 0, 0)), 10);

        // Then
        assertThat(count).isEqualTo(new RowCount(10_000, false));
    }

    @Test
    void filterEvaluatedOnAllRowsIsExact() {
        // When
        RowCount count = RowCount.ofMatching(List.of(slice(9, 600, 9, 4), slice(1, 600, 1, 0)), 100, 10);

        // Then
        assertThat(count).isEqualTo(new RowCount(4, true));
    }

    @Test
    void filterEvaluatedOnSomeRowsIsExtrapolatedPerSlice() {
        // When
        RowCount count = RowCount.ofMatching(List.of(slice(100, 600, 10, 5), slice(20, 600, 10, 1), slice(0, null, 0, 0)),
                1_000,
                10);

        // Then
        assertThat(count).isEqualTo(new RowCount(52, false));
    }

    @Test
    void evenlyDistributedRowsAreEstimatedPrecisely() {
        // Given
        Random random = new Random(5);
        for (int rows : new int[] { 1_000, 50_000, 400_000 }) {
            double apart = (double) HOUR.micros() / rows;
            int limit = 500;
            Instant reached = START.plusNanos((long) ((limit - 1 + random.nextDouble()) * apart) * 1_000);

            // When
            RowCount count = RowCount.ofAll(List.of(new SliceCount(HOUR, limit, reached, 0, 0)), limit);

            // Then
            assertThat((double) count.rows()).isCloseTo(rows, within(rows * 0.01));
        }
    }

    private static SliceCount slice(long rows, @Nullable Integer reachedSeconds, long filtered, long matching) {
        return new SliceCount(HOUR, rows, reachedSeconds == null ? null : START.plusSeconds(reachedSeconds), filtered,
                matching);
    }
}
