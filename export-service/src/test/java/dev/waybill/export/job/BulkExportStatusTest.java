package dev.waybill.export.job;

import static dev.waybill.common.api.export.BulkExportStatus.CANCELLED;
import static dev.waybill.common.api.export.BulkExportStatus.COMPLETED;
import static dev.waybill.common.api.export.BulkExportStatus.CREATED;
import static dev.waybill.common.api.export.BulkExportStatus.FAILED;
import static dev.waybill.common.api.export.BulkExportStatus.INTERVAL_SCHEDULED;
import static dev.waybill.common.api.export.BulkExportStatus.RUNNING;
import static dev.waybill.common.api.export.BulkExportStatus.TIMED_OUT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import dev.waybill.common.api.export.BulkExportStatus;

/** The statuses of contract.md "Bulk export", for every pair of statuses. */
class BulkExportStatusTest {

    private static final Map<BulkExportStatus, Set<BulkExportStatus>> SUCCESSORS = Map.of(
            CREATED, Set.of(RUNNING, CANCELLED),
            RUNNING, Set.of(COMPLETED, FAILED, TIMED_OUT, CANCELLED),
            INTERVAL_SCHEDULED, Set.of(CANCELLED));

    @TestFactory
    Stream<DynamicTest> transitionsMatchContract() {
        return Arrays.stream(BulkExportStatus.values())
                .flatMap(from -> Arrays.stream(BulkExportStatus.values())
                        .map(to -> DynamicTest.dynamicTest(from + " to " + to, () -> assertThat(from.mayBecome(to))
                                .isEqualTo(SUCCESSORS.getOrDefault(from, Set.of()).contains(to)))));
    }

    @Test
    void finalStatusHasNoSuccessor() {
        // When
        List<BulkExportStatus> ends = Arrays.stream(BulkExportStatus.values()).filter(BulkExportStatus::isFinal).toList();

        // Then
        assertThat(ends).containsExactly(COMPLETED, FAILED, TIMED_OUT,
                CANCELLED);
    }

    @Test
    void unfinishedExportCanBeCancelled() {
        // When
        var alive = CANCELLED.predecessors();

        // Then
        assertThat(alive).containsExactly(CREATED, RUNNING,
                INTERVAL_SCHEDULED);
    }

    @Test
    void onlyRunningExportCanComplete() {
        // When
        var before = COMPLETED.predecessors();

        // Then
        assertThat(before).containsExactly(RUNNING);
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
