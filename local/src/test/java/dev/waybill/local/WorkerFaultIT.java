package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A worker is killed, or stands still for longer than its lease, at points after which something else is to be done: the
 * other worker finishes, and every row is there once (F1, F2).
 */
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
        debugger = worker.alone();
    }

    @AfterEach
    void detach() {
        debugger.close();
        worker.withTheOther();
    }

    static Stream<CodePoint> pointsToDieAt() {
        return Stream.of(CodePoint.MID_ROW_GROUP, CodePoint.BETWEEN_PARTS, CodePoint.step("PARTS_UP"),
                CodePoint.step("COMMITTED"), CodePoint.step("FILE_VISIBLE"), CodePoint.step("PUBLISHED"));
    }

    @ParameterizedTest
    @MethodSource("pointsToDieAt")
    void aWorkerThatIsKilledIsReplaced(CodePoint point) {
        // Given
        String export = stopAt(point);

        // When
        worker.die();
        worker.withTheOther();

        // Then
        runs.assertComplete(export, folder);
    }

    static Stream<CodePoint> pointsToPauseAt() {
        return Stream.of(CodePoint.BETWEEN_PARTS, CodePoint.step("COMMITTED"));
    }

    @ParameterizedTest
    @MethodSource("pointsToPauseAt")
    void aWorkerThatWasPausedPastItsLeaseChangesNothingAnyMore(CodePoint point) {
        // Given
        String export = stopAt(point);
        worker.withTheOther();
        workspace.awaitCompleted(export);
        String completed = inventory(export);

        // When
        debugger.goOn();

        // Then: it finishes what it is told next, so it has long noticed
        String next = runs.orderWithRetries(worker.exporter(workspace.client()));
        runs.assertComplete(next, folder);
        runs.assertComplete(export, folder);
        assertThat(inventory(export)).isEqualTo(completed);
    }

    @Test
    void aWorkerThatStandsStillWithTheLockOfHandingOutKeepsNobodyFromWorking() {
        // Given
        debugger.arm(CodePoint.HANDING_OUT);
        debugger.awaitStop(CodePoint.HANDING_OUT);
        worker.withTheOther();

        // When
        String export = runs.order(workspace.exporter());

        // Then
        runs.assertComplete(export, folder);
        debugger.goOn();
    }

    private String stopAt(CodePoint point) {
        return runs.orderAndStop(worker, debugger, point);
    }

    /** Who completed which files when, as the database has it. */
    private static String inventory(String export) {
        return TableText
                .query("""
                        SELECT string_agg(concat_ws(' ', r.state, r.lease_token, r.finished_at, f.upload, f.sha256), ',' ORDER BY r.id, f.number)
                        FROM export.runs AS r JOIN export.files AS f ON f.tenant_id = r.tenant_id AND f.run_id = r.id
                        WHERE r.export_id = '%s'"""
                        .formatted(export))
                .toString();
    }
}
