package dev.waybill.export.execution;

import static dev.waybill.export.Exports.MONDAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.export.Bucket;
import dev.waybill.export.ExportServiceTest;
import dev.waybill.export.Exports;
import dev.waybill.export.Traces;
import dev.waybill.export.execution.CrashPoint.Step;
import io.restassured.response.Response;

/** A retry continues after the last finished file, and the files equal those of a single attempt. */
@Tag("full")
@ExportServiceTest
class ResumeTest {

    /** Number of rows that fills several files with the tests' settings. */
    private static final int ROWS = 4_000;
    private static final Duration DAY = Duration.ofDays(1);

    private Bucket bucket;
    private Exports exports;

    @BeforeEach
    void open() {
        bucket = new Bucket();
        exports = Exports.create();
        runs(ROWS);
    }

    @AfterEach
    void close() {
        TestCrashPoint.disarm();
        bucket.close();
    }

    @ParameterizedTest
    @ValueSource(ints = { 1, 2, 3 })
    void filesFinishedBeforeCrashAreReused(int completeFiles) {
        // Given
        List<String> uploads = new ArrayList<>();
        afterFiles(completeFiles, () -> {
            uploads.addAll(checkpointedUploads());
            crash();
        });

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        assertComplete(id);
        assertThat(uploads).hasSize(completeFiles);
        assertThat(committedUploads()).hasSizeGreaterThan(completeFiles).startsWith(uploads.toArray(String[]::new));
        assertThat(checkpointedUploads()).isEmpty();
        assertThat((Integer) exports.client().runs(id).path("[0].metadata.result.rows_written")).isEqualTo(ROWS);
    }

    @Test
    void retryContinuesAfterLastFinishedFile() {
        // Given
        List<String> uploads = new ArrayList<>();
        afterFiles(2, () -> {
            uploads.addAll(checkpointedUploads());
            throw new IllegalStateException("injected");
        });

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        assertComplete(id);
        assertThat(committedUploads()).startsWith(uploads.toArray(String[]::new));
    }

    @Test
    void crashAfterEachFileProducesSameFiles() {
        // Given
        int[] crashes = { 0 };
        Runnable[] crash = new Runnable[1];
        crash[0] = () -> {
            crashes[0]++;
            awaitCheckpoints(crashes[0]);
            if (crashes[0] < 4) {
                TestCrashPoint.once(exports.tenantId(), Step.FILE_FINISHED, crash[0]);
            }
            crash();
        };
        TestCrashPoint.once(exports.tenantId(), Step.FILE_FINISHED, crash[0]);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        assertThat(crashes[0]).isEqualTo(4);
        assertComplete(id);
    }

    @Test
    void crashAfterLastFileLosesNothing() {
        // Given
        TestCrashPoint.once(exports.tenantId(), Step.PARTS_UPLOADED, this::crash);

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        assertComplete(id);
    }

    @Test
    void progressNeverDecreases() {
        // Given
        List<Object> before = new ArrayList<>();
        List<Object> after = new ArrayList<>();
        TestCrashPoint.once(exports.tenantId(), Step.STARTED,
                () -> TestCrashPoint.once(exports.tenantId(), Step.STARTED, () -> after.addAll(progress())));
        afterFiles(2, () -> {
            before.addAll(progress());
            crash();
        });

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        assertThat(before).hasSize(2).doesNotContain(0L);
        assertThat(after).hasSize(2);
        assertThat((Long) after.getFirst()).isBetween((Long) before.getFirst(), (long) ROWS);
        assertThat((Long) after.getLast()).isGreaterThanOrEqualTo((Long) before.getLast());
        assertThat((int) exports.client().export(id).path("progress.rows_exported")).isEqualTo(ROWS);
    }

    @Test
    void rowsStoredAfterCheckpointPositionAreExported() {
        // Given
        UUID[] late = new UUID[1];
        afterFiles(1, () -> {
            late[0] = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plus(DAY).minusSeconds(1));
            crash();
        });

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        assertComplete(id);
        assertThat(late[0]).isNotNull();
    }

    @Test
    void rowsStoredBeforeCheckpointPositionAreLate() {
        // Given: a window of a schedule, as only their late rows are counted
        Instant start = MONDAY.minus(DAY);
        UUID[] late = new UUID[2];
        afterFiles(1, () -> {
            late[0] = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY);
            late[1] = Traces.run(exports.tenantId(), exports.sessionId(), MONDAY.plusSeconds(1));
            crash();
        });

        // When
        Response schedule = exports.post(exports.order(start, null, ", \"interval_hours\": 24"));
        UUID scheduleId = UUID.fromString(schedule.path("id"));
        Response backfill = exports.client().post("/api/v1/bulk-exports/" + scheduleId + "/backfill",
                "{\"start_time\": \"" + MONDAY + "\", \"end_time\": \"" + MONDAY.plus(DAY) + "\"}");
        UUID id = UUID.fromString(backfill.path("id"));
        exports.awaitStatus(id, "Completed");
        exports.client().cancel(scheduleId);

        // Then
        assertThat(late).doesNotContainNull();
        await().untilAsserted(() -> assertThat((int) exports.client().export(id).path("late_rows")).isEqualTo(2));
        assertThat((int) exports.client().export(id).path("progress.rows_exported")).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @ValueSource(strings = { "DELETE FROM trace.runs WHERE session_id = ? AND start_time = ?",
            "UPDATE trace.runs SET start_time = start_time + interval '23 hours' WHERE session_id = ? AND start_time = ?",
            // appends one row, and moves one from the end
            "UPDATE trace.runs SET start_time = start_time + interval '23 hours' * CASE WHEN start_time < '2026-01-05T05:00:00Z'"
                    + " THEN 1 ELSE 0 END - interval '11 hours' * CASE WHEN start_time < '2026-01-05T05:00:00Z' THEN 0 ELSE 1 END"
                    + " WHERE session_id = ? AND start_time IN (?, '2026-01-05T11:05:00Z')" })
    void changedRowsOfFinishedFilesRestartRun(String change) {
        // Given
        afterFiles(2, () -> {
            assertThat(Traces.execute(change, exports.sessionId(), MONDAY.atOffset(ZoneOffset.UTC))).isPositive();
            crash();
        });

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        assertComplete(id);
        assertThat(exports.client().runs(id).jsonPath().<String> getList("[0].errors.collect { it.value.code }"))
                .contains("source_changed");
    }

    @Test
    void lostUploadOfCheckpointRestartsRun() {
        // Given
        afterFiles(2, () -> {
            bucket.abort((String) Traces.query("SELECT key FROM export.checkpoints WHERE tenant_id = ? AND number = 1",
                    exports.tenantId()), checkpointedUploads().getLast());
            crash();
        });

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        assertComplete(id);
        assertThat(exports.client().runs(id).jsonPath().<String> getList("[0].errors.collect { it.value.code }"))
                .contains("upload_gone");
    }

    @Test
    void workerWithExpiredLeaseStoresNoCheckpoint() {
        // Given
        TestCrashPoint.once(exports.tenantId(), Step.FILE_FINISHED, () -> Traces.execute("""
                UPDATE export.runs
                SET lease_token = lease_token + 1, lease_owner = 'another', lease_until = now() + interval '1 second'
                WHERE tenant_id = ?
                """, exports.tenantId()));

        // When
        UUID id = exports.complete(MONDAY, MONDAY.plus(DAY), "");

        // Then
        assertComplete(id);
        assertThat(checkpointedUploads()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "Cancelled", "Failed" })
    void endedExportLeavesNoUploadsOrFiles(String end) {
        // Given
        afterFiles(2, () -> {
            if (end.equals("Failed")) {
                Traces.execute("UPDATE export.runs SET attempts = 5 WHERE tenant_id = ?", exports.tenantId());
                crash();
            }
            exports.client().cancel((UUID) Traces.query("SELECT export_id FROM export.runs WHERE tenant_id = ?",
                    exports.tenantId()));
        });

        // When
        UUID id = exports.start(MONDAY, MONDAY.plus(DAY), "");
        exports.awaitStatus(id, end);

        // Then
        Response shown = exports.client().export(id);
        assertThat((int) shown.path("progress.rows_exported")).isZero();
        assertThat((int) shown.path("progress.bytes_exported")).isZero();
        assertThat((int) exports.client().runs(id).path("[0].metadata.result.rows_written")).isZero();
        await().untilAsserted(() -> assertThat(bucket.openUploads(exports.prefix())).isEmpty());
        await().untilAsserted(() -> assertThat(checkpointedUploads()).isEmpty());
        assertThat(bucket.keys(exports.prefix())).isEmpty();
    }

    /** Runs the action when {@code count} files are finished and recorded. */
    private void afterFiles(int count, Runnable action) {
        afterFiles(1, count, action);
    }

    private void afterFiles(int file, int count, Runnable action) {
        TestCrashPoint.once(exports.tenantId(), Step.FILE_FINISHED, () -> {
            if (file < count) {
                afterFiles(file + 1, count, action);
            } else {
                awaitCheckpoints(count);
                action.run();
            }
        });
    }

    private void awaitCheckpoints(int atLeast) {
        await().until(() -> checkpointedUploads().size() >= atLeast);
    }

    private List<String> checkpointedUploads() {
        return uploads("checkpoints");
    }

    private List<String> committedUploads() {
        return uploads("files");
    }

    private List<String> uploads(String table) {
        return Traces.all("SELECT upload ->> 'upload_id' FROM export." + table + " WHERE tenant_id = ? ORDER BY number",
                exports.tenantId()).stream().map(String.class::cast).toList();
    }

    private void runs(int count) {
        Traces.runs(exports.tenantId(), exports.sessionId(), MONDAY, Duration.ofSeconds(10), count);
        // Incompressible text, so that the day is split into several files.
        Traces.execute("""
                UPDATE trace.runs SET inputs = (SELECT string_agg(md5(random()::text || id::text || n), '')
                    FROM generate_series(1, 48) AS n) WHERE session_id = ?""", exports.sessionId());
    }

    private List<Object> progress() {
        return Traces.all("SELECT unnest(ARRAY[rows_written, bytes_written]) FROM export.runs WHERE tenant_id = ?",
                exports.tenantId());
    }

    private void crash() {
        Traces.execute("UPDATE export.runs SET lease_until = now() WHERE tenant_id = ? AND lease_until IS NOT NULL",
                exports.tenantId());
        throw new LeaseLostException(new Lease(exports.tenantId(), UUID.randomUUID(), 0), null);
    }

    private void assertComplete(UUID id) {
        new ExportAssertions(bucket, exports, id).assertComplete();
    }
}
