package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.local.storage.PostgresServer;

/** Tests faults of PostgreSQL and of connections to it while a worker exports (F3 to F5). */
@Tag("full")
class DatabaseFaultIT {

    private static final int RUNS = 6_000;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    /** More than any connection transfers except the one that reads the runs. */
    private static final long RESET_AFTER_BYTES = 4 << 20;

    private static Workspace workspace;
    private static ManyRuns runs;
    private static FaultyWorker worker;

    private final PostgresServer postgres = RunningStack.get().stack.postgres();
    private Debugger debugger;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        workspace = Workspace.create("database-faults");
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
        worker.database.heal();
        debugger.close();
        worker.resumeOther();
    }

    @Test
    void exportRecoversFromTerminatedConnection() {
        // Given
        UUID export = stopAt(CodePoint.MID_ROW_GROUP);

        // When
        assertThat(TableText.query("""
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE usename = 'waybill_export' AND state <> 'idle' AND query LIKE 'COPY%'""")).containsExactly("t");
        resumeBoth();

        // Then: the attempt failed, or on a slow machine its lease expired first
        runs.assertComplete(export, folder);
        assertThat(runs.error(export, 1)).isIn("source_unavailable", "worker_lost");
    }

    @Test
    void exportRecoversFromConnectionReset() {
        // Given
        worker.database.resetOnceAfter(RESET_AFTER_BYTES);

        // When
        UUID export = runs.order(worker.exporter(workspace.client()));
        await().atMost(TIMEOUT).until(() -> !worker.database.isResetPending());
        worker.resumeOther();

        // Then
        runs.assertComplete(export, folder);
    }

    @Test
    void otherWorkerReplacesIsolatedOneUntilItRecovers() {
        // Given
        UUID export = stopAt(CodePoint.MID_ROW_GROUP);

        // When
        worker.database.blackHole();
        resumeBoth();

        // Then
        runs.assertComplete(export, folder);
        worker.database.heal();
        UUID next = runs.orderWithRetries(worker.exporter(workspace.client()));
        runs.assertComplete(next, folder);
    }

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void exportSurvivesRestartOfPostgres(boolean crash) {
        // Given
        UUID export = stopAt(CodePoint.MID_ROW_GROUP);

        // When
        restart(crash);
        resumeBoth();

        // Then
        runs.assertComplete(export, folder);
    }

    @Test
    void publishedFilesAreNotExportedAgainAfterCrash() {
        // Given
        CodePoint published = CodePoint.step("PUBLISHED");
        UUID export = stopAt(published);
        String committed = uploads(export);

        // When
        restart(true);
        resumeBoth();

        // Then
        runs.assertComplete(export, folder);
        assertThat(uploads(export)).isEqualTo(committed);
    }

    @Test
    void serviceWaitsForDatabaseAtStartup() {
        // Given
        worker.database.blackHole();
        worker.killAndRestart();
        await().atMost(TIMEOUT).until(worker::hasLoggedConnectionError);

        // When
        worker.database.heal();

        // Then
        worker.awaitReady();
    }

    private UUID stopAt(CodePoint point) {
        return runs.orderAndStop(worker, debugger, point);
    }

    private void resumeBoth() {
        debugger.resume();
        worker.resumeOther();
    }

    private void restart(boolean crash) {
        if (crash) {
            postgres.crash();
        } else {
            postgres.close();
        }
        postgres.restart();
    }

    /** Returns the ids of the run's uploads, which differ after another export. */
    private static String uploads(UUID export) {
        return TableText.query("""
                SELECT string_agg(f.upload ->> 'upload_id', ',' ORDER BY f.number)
                FROM export.runs AS r JOIN export.files AS f ON f.tenant_id = r.tenant_id AND f.run_id = r.id
                WHERE r.export_id = '%s'""".formatted(export)).toString();
    }
}
