package dev.waybill.export.job;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.UUID;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.export.job.ExportLifecycleService.QueueState;

/** Values of the queue gauges; times lie so far back that the duration of the test is irrelevant. */
class QueueStateTest {

    private static final Offset<Double> A_WHILE = within(600.0);
    private static final double HOUR = 3600;

    private final ExportQueue queue = new ExportQueue(Map.of("running-exports", "1", "running-runs", "1"));

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void queueStateIsEmptyWithoutExports() {
        assertThat(await(queue.outcomes.queueState())).isEqualTo(QueueState.EMPTY);
    }

    @Test
    void queueAgeCountsFromTheLastClaim() {
        // Given
        UUID workspace = queue.workspace();
        UUID running = queue.create(workspace, 3);
        UUID waiting = queue.create(workspace, 1);
        queue.claim();
        queue.execute("UPDATE export.bulk_exports SET created_at = now() - interval '9 hours',"
                + " started_at = now() - interval '5 hours', served_at = now() - interval '2 hours' WHERE id = ?", running);
        queue.execute("UPDATE export.runs SET next_attempt_at = now() - interval '9 hours'");
        queue.execute("UPDATE export.bulk_exports SET created_at = now() - interval '20 hours' WHERE id = ?", waiting);

        // When
        QueueState state = await(queue.outcomes.queueState());

        // Then
        assertThat(state.runningExports()).isEqualTo(1);
        assertThat(state.waitingExports()).isEqualTo(1);
        assertThat(state.queueAgeSeconds()).isCloseTo(2 * HOUR, A_WHILE);
        assertThat(state.lagSeconds()).isCloseTo(20 * HOUR, A_WHILE);
    }

    @Test
    void leasedAndBackingOffRunsDoNotCountAsWaiting() {
        // Given
        UUID workspace = queue.workspace();
        queue.create(workspace, 2);
        queue.claim();
        queue.execute("UPDATE export.bulk_exports SET served_at = now() - interval '2 hours'");
        queue.execute("UPDATE export.runs SET next_attempt_at = now() + interval '1 hour' WHERE lease_until IS NULL");

        // When
        QueueState state = await(queue.outcomes.queueState());

        // Then
        assertThat(state.queueAgeSeconds()).isZero();
        assertThat(state.runningExports()).isEqualTo(1);
    }
}
