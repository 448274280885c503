package dev.waybill.export.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.waybill.common.api.export.BulkExportStatus;

class BulkExportStatusTest {

    @Test
    void finalStatusHasNoSuccessor() {
        // When
        List<BulkExportStatus> ends = Arrays.stream(BulkExportStatus.values()).filter(BulkExportStatus::isFinal).toList();

        // Then
        assertThat(ends).containsExactly(BulkExportStatus.COMPLETED, BulkExportStatus.FAILED, BulkExportStatus.TIMED_OUT,
                BulkExportStatus.CANCELLED);
    }

    @Test
    void unfinishedExportCanBeCancelled() {
        // When
        var alive = BulkExportStatus.CANCELLED.predecessors();

        // Then
        assertThat(alive).containsExactly(BulkExportStatus.CREATED, BulkExportStatus.RUNNING,
                BulkExportStatus.INTERVAL_SCHEDULED);
    }

    @Test
    void onlyRunningExportCanComplete() {
        // When
        var before = BulkExportStatus.COMPLETED.predecessors();

        // Then
        assertThat(before).containsExactly(BulkExportStatus.RUNNING);
    }

    @Test
    void wireNamesMatchContract() {
        // When
        List<String> words = Arrays.stream(BulkExportStatus.values()).map(BulkExportStatus::toString).toList();

        // Then
        assertThat(words).containsExactlyInAnyOrder("Created", "Running", "Completed", "Failed", "TimedOut", "Cancelled",
                "IntervalScheduled");
    }
}
