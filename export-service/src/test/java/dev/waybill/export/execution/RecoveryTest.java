package dev.waybill.export.execution;

import static dev.waybill.common.testing.Patience.await;
import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.lease.Lease;
import dev.waybill.common.lease.LeaseLostException;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.execution.CrashPoint.Step;
import io.restassured.response.Response;

/** Workers that stop, are paused or overtaken, wherever that makes a difference. */
@ExportServiceTest
class RecoveryTest {

    private static final int ROWS = 300;

    private Bucket bucket;
    private Exports exports;

    // Not where the fields are: the service listens when this runs.
    @BeforeEach
    void open() {
        bucket = new Bucket();
        exports = Exports.create();
    }

    @AfterEach
    void close() {
        CrashHere.disarm();
        bucket.close();
    }

    /** Files behind which a run goes on: {@link ResumeTest}. */
    @ParameterizedTest
    @EnumSource(value = Step.class, names = "FILE_WHOLE", mode = EnumSource.Mode.EXCLUDE)
    void aWorkerThatDiesIsReplacedAndEveryRowIsThereOnce(Step step) {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        CrashHere.once(exports.tenantId(), step, this::dieAtOnce);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertWhole(id);
    }

    @Test
    void uploadsThatAKilledWorkerLeftAreAborted() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        CrashHere.once(exports.tenantId(), Step.BEGUN, () -> {
            String folder = (String) Traces
                    .query("SELECT 'export_id=' || export_id || '/tenant_id=' || tenant_id FROM export.runs"
                            + " WHERE tenant_id = ?", exports.tenantId());
            bucket.leaveUpload(exports.prefix() + "/" + folder + "/session_id=" + exports.sessionId()
                    + "/runs/year=2026/month=1/day=5/part-00000.parquet");
            dieAtOnce();
        });

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertWhole(id);
    }

    @ParameterizedTest
    @EnumSource(value = Step.class, names = { "PARTS_UP", "COMMITTED", "FILE_VISIBLE", "PUBLISHED" })
    void aWorkerThatWasOvertakenWhilePausedWritesNothingMore(Step step) {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        CrashHere.once(exports.tenantId(), step, () -> Traces.execute("""
                UPDATE export.runs
                SET lease_token = lease_token + 1, lease_owner = 'another', lease_until = now() + interval '1 second'
                WHERE tenant_id = ?
                """, exports.tenantId()));

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertWhole(id);
        assertThat((Long) Traces.query("SELECT lease_token FROM export.runs WHERE tenant_id = ?", exports.tenantId()))
                .isGreaterThanOrEqualTo(3L);
    }

    @Test
    void aCommitRecordWhoseUploadIsGoneMeansToStartOver() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        CrashHere.once(exports.tenantId(), Step.COMMITTED, () -> bucket.abort(
                (String) Traces.query("SELECT key FROM export.files WHERE tenant_id = ?", exports.tenantId()),
                (String) Traces.query("SELECT upload ->> 'upload_id' FROM export.files WHERE tenant_id = ?",
                        exports.tenantId())));

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        assertWhole(id);
        Response runs = exports.client().runs(id);
        assertThat((String) runs.path("[0].errors.'1'.code")).isEqualTo("upload_gone");
        assertThat((int) runs.path("[0].retry_number")).isEqualTo(1);
    }

    @Test
    void aTakeOverIsToldInTheErrorsOfTheAttemptThatWasLost() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        CrashHere.once(exports.tenantId(), Step.PARTS_UP, this::dieAtOnce);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then
        Response runs = exports.client().runs(id);
        assertThat((int) runs.path("[0].retry_number")).isEqualTo(1);
        assertThat(runs.jsonPath().getMap("[0].errors")).containsOnlyKeys("1");
        assertThat((String) runs.path("[0].errors.'1'.code")).isEqualTo("worker_lost");
        assertWhole(id);
    }

    @Test
    void aRunThatKillsItsWorkersFailsInTheEndAndTakesItsExportAlong() {
        // Given
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofMinutes(1), ROWS);
        CrashHere.once(exports.tenantId(), Step.PARTS_UP, () -> {
            Traces.execute("UPDATE export.runs SET attempts = 5 WHERE tenant_id = ?", exports.tenantId());
            dieAtOnce();
        });

        // When
        UUID id = exports.start(MONDAY, MONDAY.plus(Duration.ofDays(1)), "");

        // Then: five attempts are allowed here, and the fifth was lost.
        exports.awaitStatus(id, "Failed");
        Response runs = exports.client().runs(id);
        assertThat((String) runs.path("[0].status")).isEqualTo("Failed");
        assertThat((int) runs.path("[0].retry_number")).isEqualTo(4);
        assertThat(runs.jsonPath().getMap("[0].errors")).containsOnlyKeys("5");
        assertThat((String) runs.path("[0].errors.'5'.code")).isEqualTo("worker_lost");
        assertThat(bucket.keys(exports.prefix())).isEmpty();
        await().untilAsserted(() -> assertThat(bucket.openUploads(exports.prefix())).isEmpty());
    }

    private void dieAtOnce() {
        // Whoever gets this writes nothing more, as if the process had ended. Its lease has run out when it is gone, so that the
        // test need not wait for that.
        Traces.execute("UPDATE export.runs SET lease_until = now() WHERE tenant_id = ? AND lease_until IS NOT NULL",
                exports.tenantId());
        Traces.execute("UPDATE export.bulk_exports SET lease_until = now() WHERE tenant_id = ? AND lease_until IS NOT NULL",
                exports.tenantId());
        throw new LeaseLostException(new Lease(exports.tenantId(), UUID.randomUUID(), 0), null);
    }

    private void assertWhole(UUID id) {
        new Aftermath(bucket, exports, id).assertWhole();
    }
}
