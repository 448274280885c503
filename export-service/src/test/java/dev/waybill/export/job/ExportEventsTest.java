package dev.waybill.export.job;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.testing.Patience;
import dev.waybill.export.Client;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;

/** Changes that export-service writes to the table of experiment-service, with the real migrations and rights. */
@ExportServiceTest
class ExportEventsTest {

    private static final Instant TUESDAY = MONDAY.plus(Duration.ofDays(1));

    private Exports exports;

    @BeforeEach
    void open() {
        exports = Exports.create();
    }

    @Test
    void createdAndCompletedExportIsAnnounced() {
        // When
        UUID id = exports.start(MONDAY, TUESDAY, "");

        // Then
        awaitChange(id);
        exports.awaitStatus(id, "Completed");
        awaitChangeSince(id, "finished_at");
    }

    @Test
    void cancelledScheduleIsAnnounced() {
        // Given
        UUID id = exports.start(Instant.now(), null, ", \"interval_hours\": 1");
        awaitChange(id);

        // When
        exports.client().cancel(id);

        // Then
        awaitChangeSince(id, "finished_at");
    }

    @Test
    void verificationIsAnnounced() {
        // Given
        UUID id = exports.complete(MONDAY, TUESDAY, "");
        awaitChangeSince(id, "finished_at");
        Traces.execute("DELETE FROM trace.recent_changes WHERE id = ?", id);

        // When
        exports.client().post(Client.EXPORTS + "/" + id + "/verify");

        // Then
        awaitChange(id);
    }

    private void awaitChange(UUID id) {
        await("SELECT count(*) FROM trace.recent_changes WHERE tenant_id = ? AND type = 'export' AND id = ?", id);
    }

    /** Waits for a change at or after a time of the export. */
    private void awaitChangeSince(UUID id, String column) {
        await("SELECT count(*) FROM trace.recent_changes c JOIN export.bulk_exports e USING (tenant_id, id)"
                + " WHERE c.tenant_id = ? AND c.type = 'export' AND c.id = ? AND c.changed_at >= e." + column, id);
    }

    private void await(String count, UUID id) {
        Patience.await().untilAsserted(() -> assertThat(Traces.query(count, exports.tenantId(), id)).isEqualTo(1L));
    }
}
