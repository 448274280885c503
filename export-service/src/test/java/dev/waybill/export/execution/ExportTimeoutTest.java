package dev.waybill.export.execution;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;

/** Timeouts end exports and runs from the database state, with and without a worker. */
@ExportServiceTest
class ExportTimeoutTest {

    private Bucket bucket;
    private Exports exports;

    @BeforeEach
    void startWorkerThatCrashes() {
        bucket = new Bucket();
        exports = Exports.create();
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), 10);
        TestCrashPoint.once(exports.tenantId(), CrashPoint.Step.COMMITTED, () -> {
            Traces.execute("UPDATE export.runs SET lease_until = now() + interval '1 hour' WHERE tenant_id = ?",
                    exports.tenantId());
            throw new LeaseLostException(new Lease(exports.tenantId(), UUID.randomUUID(), 0), null);
        });
    }

    @AfterEach
    void close() {
        TestCrashPoint.disarm();
        bucket.close();
    }

    @ParameterizedTest
    @CsvSource({ "bulk_exports, 24 hours", "runs, 4 hours" })
    @Tag("full")
    void overdueWorkIsEndedAndUploadsAreAborted(String table, String limit) {
        // Given
        UUID id = exports.start(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");
        await().untilAsserted(() -> assertThat(Traces.query("SELECT state FROM export.runs WHERE tenant_id = ?",
                exports.tenantId())).isEqualTo("Committing"));

        // When
        Traces.execute("UPDATE export." + table + " SET started_at = now() - interval '" + limit + " 1 second'"
                + " WHERE tenant_id = ?", exports.tenantId());

        // Then
        exports.awaitStatus(id, "TimedOut");
        assertThat((String) exports.client().runs(id).path("[0].status")).isEqualTo("TimedOut");
        await().untilAsserted(() -> assertThat(bucket.openUploads(exports.prefix())).isEmpty());
        assertThat(bucket.keys(exports.prefix())).isEmpty();
    }
}
