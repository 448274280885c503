package dev.waybill.export.execution;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.execution.CrashPoint.Step;
import io.restassured.response.Response;

/** Recovery from workers that crash, are paused or lose their lease, at every step that matters. */
@ExportServiceTest
@Tag("full")
class RecoveryTest {

    private static final int ROWS = 300;

    private Bucket bucket;
    private Exports exports;

    // Not a field initializer: the service must be listening.
    @BeforeEach
    void open() {
        bucket = new Bucket();
        exports = Exports.create();
    }

    @AfterEach
    void close() {
        TestCrashPoint.disarm();
        bucket.close();
    }

    /** Checkpoints are covered by {@link ResumeTest}. */
    @ParameterizedTest
    @EnumSource(value = Step.class, names = "FILE_FINISHED", mode = EnumSource.Mode.EXCLUDE)
    void crashedWorkerIsReplacedWithoutLossOrDuplicates(Step step) {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        TestCrashPoint.once(exports.tenantId(), step, this::crash);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertComplete(id);
    }

    @Test
    void uploadsOfKilledWorkerAreAborted() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        TestCrashPoint.once(exports.tenantId(), Step.STARTED, () -> {
            String folder = (String) Traces
                    .query("SELECT 'export_id=' || export_id || '/tenant_id=' || tenant_id FROM export.runs"
                            + " WHERE tenant_id = ?", exports.tenantId());
            bucket.leaveUpload(exports.prefix() + "/" + folder + "/session_id=" + exports.sessionId()
                    + "/runs/year=2026/month=1/day=5/part-00000.parquet");
            crash();
        });

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertComplete(id);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(value = Step.class, names = { "PARTS_UPLOADED", "COMMITTED", "FILE_VISIBLE", "PUBLISHED" })
    void pausedWorkerWithExpiredLeaseStoresNothing(Step step) {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        TestCrashPoint.once(exports.tenantId(), step, () -> Traces.execute("""
                UPDATE export.runs
                SET lease_token = lease_token + 1, lease_owner = 'another', lease_until = now() + interval '1 second'
                WHERE tenant_id = ?
                """, exports.tenantId()));

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertComplete(id);
        assertThat((Long) Traces.query("SELECT lease_token FROM export.runs WHERE tenant_id = ?", exports.tenantId()))
                .isGreaterThanOrEqualTo(3L);
    }

    @Test
    void lostUploadOfCommitRecordRestartsRun() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        TestCrashPoint.once(exports.tenantId(), Step.COMMITTED, () -> bucket.abort(
                (String) Traces.query("SELECT key FROM export.files WHERE tenant_id = ?", exports.tenantId()),
                (String) Traces.query("SELECT upload ->> 'upload_id' FROM export.files WHERE tenant_id = ?",
                        exports.tenantId())));

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertComplete(id);
        Response runs = exports.client().runs(id);
        assertThat((String) runs.path("[0].errors.'1'.code")).isEqualTo("upload_gone");
        assertThat((int) runs.path("[0].retry_number")).isEqualTo(1);
    }

    @Test
    void takeoverIsRecordedAsErrorOfLostAttempt() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        TestCrashPoint.once(exports.tenantId(), Step.PARTS_UPLOADED, this::crash);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        Response runs = exports.client().runs(id);
        assertThat((int) runs.path("[0].retry_number")).isEqualTo(1);
        assertThat(runs.jsonPath().getMap("[0].errors")).containsOnlyKeys("1");
        assertThat((String) runs.path("[0].errors.'1'.code")).isEqualTo("worker_lost");
        assertComplete(id);
    }

    @Test
    void runThatCrashesWorkersFailsItsExport() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        TestCrashPoint.once(exports.tenantId(), Step.PARTS_UPLOADED, () -> {
            Traces.execute("UPDATE export.runs SET attempts = 5 WHERE tenant_id = ?", exports.tenantId());
            crash();
        });

        // When
        UUID id = exports.start(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then: the fifth and last attempt that the tests' settings allow was lost.
        exports.awaitStatus(id, "Failed");
        Response runs = exports.client().runs(id);
        assertThat((String) runs.path("[0].status")).isEqualTo("Failed");
        assertThat((int) runs.path("[0].retry_number")).isEqualTo(4);
        assertThat(runs.jsonPath().getMap("[0].errors")).containsOnlyKeys("5");
        assertThat((String) runs.path("[0].errors.'5'.code")).isEqualTo("worker_lost");
        assertThat(bucket.keys(exports.prefix())).isEmpty();
        await().untilAsserted(() -> assertThat(bucket.openUploads(exports.prefix())).isEmpty());
    }

    private void crash() {
        crash(exports);
    }

    static void crash(Exports exports) {
        // The error stops the worker as a crash would. Its lease is expired too, so that the test does not wait for that.
        Traces.execute("UPDATE export.runs SET lease_until = now() WHERE tenant_id = ? AND lease_until IS NOT NULL",
                exports.tenantId());
        Traces.execute("UPDATE export.bulk_exports SET lease_until = now() WHERE tenant_id = ? AND lease_until IS NOT NULL",
                exports.tenantId());
        throw new LeaseLostException(new Lease(exports.tenantId(), UUID.randomUUID(), 0), null);
    }

    private void assertComplete(UUID id) {
        new ExportAssertions(bucket, exports, id).assertComplete();
    }
}
