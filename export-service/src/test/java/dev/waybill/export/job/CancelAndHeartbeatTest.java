package dev.waybill.export.job;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.job.Lease;

/** Cancellation locks the export and then its runs; a heartbeat that holds a run must not wait for the export. */
class CancelAndHeartbeatTest {

    private final ExportQueue queue = new ExportQueue(Map.of());

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void heartbeatDoesNotWaitForExportLock() {
        // Given
        UUID workspace = queue.workspace();
        UUID export = queue.create(workspace, 1);
        Lease lease = queue.claim().getFirst();
        await(queue.parts.attempts().begin(lease));
        queue.execute("BEGIN");
        queue.query(BulkExportRepository.LOCK.replaceAll("\\$\\d", "?"), workspace, export);

        // When: renewal and progress in one transaction, as in the heartbeat
        await(queue.database.inWorkspace(workspace,
                connection -> queue.parts.attempts().leases().renew(connection, lease, ExportQueue.LONG)
                        .chain(() -> queue.parts.attempts().recordProgress(connection, lease, 5, 500, Map.of(), List.of()))));

        // Then
        queue.execute("COMMIT");
        assertThat(queue.query("SELECT rows_written FROM export.runs WHERE id = ?", lease.id())).isEqualTo(5L);
    }
}
