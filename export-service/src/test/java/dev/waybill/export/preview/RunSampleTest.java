package dev.waybill.export.preview;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

class RunSampleTest {

    @Test
    void sampleOfAllRowsHasItsSize() {
        assertThat(sample(20, 1_100, 3_000).estimateBytes(new RowCount(20, true), 1)).contains(about(3_000));
    }

    @Test
    void singleFileOfAllRunsIsExact() {
        RunSample all = new RunSample(List.of(), 20, 1_100, 3_000, 20, 1, RunSample.StopReason.EXHAUSTED);

        assertThat(all.estimateBytes(new RowCount(20, true), 1)).contains(ByteEstimate.exactly(3_000));
    }

    @Test
    void daysWithoutRunsHaveNoFiles() {
        RunSample all = new RunSample(List.of(), 20, 1_100, 3_000, 20, 2, RunSample.StopReason.EXHAUSTED);

        assertThat(all.estimateBytes(new RowCount(20, true), 300)).contains(about(4_000));
    }

    @Test
    void estimateAddsFileOverheadAndRows() {
        // 100 bytes per row and 1,000 per file; an export of few rows has few files.
        assertThat(sample(20, 1_100, 3_000).estimateBytes(new RowCount(1_000, false), 7)).contains(uncertain(107_000));
        assertThat(sample(20, 1_100, 3_000).estimateBytes(new RowCount(2, true), 7)).contains(uncertain(2_200));
    }

    @Test
    void rowsWithoutSizeStillHaveFiles() {
        assertThat(sample(20, 1_000, 1_000).estimateBytes(new RowCount(1_000, false), 3)).contains(uncertain(3_000));
    }

    @Test
    void singleSampledRunRepresentsAll() {
        assertThat(sample(1, 5_000_000, 5_000_000).estimateBytes(new RowCount(3, true), 1)).contains(uncertain(15_000_000));
    }

    @Test
    void estimateIsZeroWithoutRowsAndEmptyWithoutSample() {
        assertThat(sample(0, 0, 0).estimateBytes(new RowCount(0, true), 7)).contains(ByteEstimate.exactly(0));
        assertThat(sample(0, 0, 0).estimateBytes(new RowCount(5, false), 7)).isEmpty();
    }

    @Test
    void countIsExactIfAllRunsWereFound() {
        // Given
        RunSample all = found(7, RunSample.StopReason.EXHAUSTED);

        // Then
        assertThat(all.estimateRows(Optional.empty())).contains(new RowCount(7, true));
        assertThat(all.estimateRows(Optional.of(counted(0, false)))).contains(new RowCount(7, true));
    }

    @Test
    void countIsAtLeastTheNumberFound() {
        // Given
        RunSample some = found(7, RunSample.StopReason.TIMED_OUT);

        // Then
        assertThat(some.estimateRows(Optional.empty())).isEmpty();
        assertThat(some.estimateRows(Optional.of(counted(0, false)))).contains(new RowCount(7, false));
        assertThat(some.estimateRows(Optional.of(counted(9, true)))).contains(new RowCount(9, true));
    }

    private static ByteEstimate about(long bytes) {
        return new ByteEstimate(bytes, bytes / 2, bytes * 2);
    }

    private static ByteEstimate uncertain(long bytes) {
        return new ByteEstimate(bytes, bytes / 20, bytes * 20);
    }

    private static RangeStatistics counted(long rows, boolean isExact) {
        return new RangeStatistics(new RowCount(rows, isExact), List.of(), 100, 0);
    }

    private static RunSample found(long found, RunSample.StopReason end) {
        return new RunSample(List.of(), 1, 1, 1, found, 1, end);
    }

    private static RunSample sample(long rows, long firstBytes, long bytes) {
        return new RunSample(List.of(), rows, firstBytes, bytes, rows, 1, RunSample.StopReason.LIMIT_REACHED);
    }
}
