package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills a worker, or suspends it for longer than its lease, at each step of an export. The other worker must complete the
 * export with every row once (F1, F2).
 */
@Tag("full")
class WorkerFaultIT {

    private static final int RUNS = 6_000;

    private static Workspace workspace;
    private static ManyRuns runs;
    private static FaultyWorker worker;

    private Debugger debugger;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        workspace = Workspace.create("worker-faults");
        runs = ManyRuns.add(workspace, RUNS);
        worker = FaultyWorker.start(workspace.running());
    }

    @AfterAll
    static void stop() throws IOException {
        worker.close();
        workspace.deleteRuns();
    }

    @BeforeEach
    void attach() {
        debugger = worker.attachAndPauseOther();
    }

    @AfterEach
    void detach() {
        debugger.close();
        worker.resumeOther();
    }

    static Stream<CodePoint> killPoints() {
        return Stream.of(CodePoint.MID_ROW_GROUP, CodePoint.BETWEEN_PARTS, CodePoint.step("PARTS_UPLOADED"),
                CodePoint.step("COMMITTED"), CodePoint.step("FILE_VISIBLE"), CodePoint.step("PUBLISHED"));
    }

    @ParameterizedTest
    @MethodSource("killPoints")
    void otherWorkerCompletesExportOfKilledOne(CodePoint point) {
        // Given
        UUID export = stopAt(point);

        // When
        worker.killAndRestart();
        worker.resumeOther();

        // Then
        runs.assertComplete(export, folder);
    }

    static Stream<CodePoint> pausePoints() {
        return Stream.of(CodePoint.BETWEEN_PARTS, CodePoint.step("COMMITTED"));
    }

    @ParameterizedTest
    @MethodSource("pausePoints")
    void suspendedWorkerChangesNothingAfterLeaseExpiry(CodePoint point) {
        // Given
        UUID export = stopAt(point);
        worker.resumeOther();
        workspace.awaitCompleted(export);
        String completed = inventory(export);

        // When
        debugger.resume();

        // Then: it completes its next export, so it has detected the lost lease
        UUID next = runs.orderWithRetries(worker.exporter(workspace.client()));
        runs.assertComplete(next, folder);
        runs.assertComplete(export, folder);
        assertThat(inventory(export)).isEqualTo(completed);
    }

    @Test
    void suspendedLockHolderDoesNotBlockOtherWorker() {
        // Given
        debugger.arm(CodePoint.CLAIMING);
        debugger.awaitStop(CodePoint.CLAIMING);
        worker.resumeOther();

        // When
        UUID export = runs.order(workspace.exporter());

        // Then
        runs.assertComplete(export, folder);
        debugger.resume();
    }

    private UUID stopAt(CodePoint point) {
        return runs.orderAndStop(worker, debugger, point);
    }

    /** Returns the state of the export's runs and files in the database. */
    private static String inventory(UUID export) {
        return TableText
                .query("""
                        SELECT string_agg(concat_ws(' ', r.state, r.lease_token, r.finished_at, f.upload, f.sha256), ',' ORDER BY r.id, f.number)
                        FROM export.runs AS r JOIN export.files AS f ON f.tenant_id = r.tenant_id AND f.run_id = r.id
                        WHERE r.export_id = '%s'"""
                        .formatted(export))
                .toString();
    }
}
