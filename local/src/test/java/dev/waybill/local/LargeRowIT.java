package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.api.export.RunError;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;

/** Tests large rows, each of which is buffered completely; {@link RunningStack} has 192 MiB of heap (F15). */
@Tag("full")
class LargeRowIT {

    private static final int RUNS = 1_000;
    private static final int TOO_LARGE = 220 << 20;
    /** The limit from {@code waybill.export.execution.max-row-size} with this heap. */
    private static final int LARGE = 23 << 20;

    private final Workspace workspace = Workspace.create("large-rows");
    private ManyRuns runs;

    @TempDir
    private Path folder;

    @BeforeEach
    void add() {
        runs = ManyRuns.add(workspace, RUNS);
    }

    @AfterEach
    void deleteRuns() {
        workspace.deleteRuns();
    }

    @Test
    void exportsRowLargerThanHeapTruncated() {
        // Given
        long pid = workspace.running().stack.service(ServiceKind.EXPORT).pid();
        String run = enlarge(1, TOO_LARGE);

        // When
        UUID export = runs.order(workspace.exporter());

        // Then
        workspace.awaitCompleted(export);
        List<String> codes = workspace.exporter().runs(export).stream()
                .flatMap(attempt -> attempt.errors().values().stream())
                .filter(error -> !isExpiredLease(error))
                .map(RunError::code)
                .toList();
        assertThat(codes).containsExactly("rows_truncated");
        ExportedFiles files = workspace.download(export, folder);
        try (ParquetReader reader = new ParquetReader()) {
            assertThat(reader.query(files.files(), "SELECT count(*)::INT FROM runs")).containsExactly(List.of(RUNS));
            assertThat(reader.query(files.files(), "SELECT inputs LIKE '{\"waybill_truncated\": {\"bytes\": " + TOO_LARGE
                    + ", %' FROM runs WHERE id = '" + run + "'")).containsExactly(List.of(true));
        }
        assertThat(workspace.running().stack.service(ServiceKind.EXPORT).pid()).isEqualTo(pid);
        assertThat(workspace.running().stack.service(ServiceKind.EXPORT).isAlive()).isTrue();
    }

    @Test
    void exportsRowsUpToTheLimit() {
        // Given
        enlarge(3, LARGE);

        // When: the maximum number of concurrent runs of a replica
        List<UUID> exports = List.of(runs.order(workspace.exporter()), runs.order(workspace.exporter()));

        // Then: no attempt failed
        for (UUID export : exports) {
            workspace.awaitCompleted(export);
            assertThat(workspace.exporter().runs(export)).allSatisfy(run -> assertThat(run.errors().values())
                    .allSatisfy(error -> assertThat(isExpiredLease(error)).as("%s", error).isTrue()));
            ExportedFiles files = workspace.download(export, folder);
            try (ParquetReader reader = new ParquetReader()) {
                assertThat(reader.query(files.files(), "SELECT length(inputs)::INT FROM runs WHERE length(inputs) > 1000000"))
                        .containsExactly(List.of(LARGE), List.of(LARGE), List.of(LARGE));
            }
        }
    }

    /** Returns whether the lease expired, which may happen on a slow machine. */
    private static boolean isExpiredLease(RunError error) {
        return error.code().equals("worker_lost");
    }

    /** Sets the inputs of some runs to a size, removes their other texts and returns the id of one of them. */
    private String enlarge(int count, int bytes) {
        return String.valueOf(TableText.query("""
                UPDATE trace.runs
                SET name = '', inputs = '"' || repeat('x', %d - 2) || '"', outputs = NULL, error = NULL, events = NULL,
                    extra = NULL, metadata = NULL
                WHERE id IN (SELECT id FROM trace.runs WHERE session_id = '%s' ORDER BY start_time, id LIMIT %d)
                RETURNING id""".formatted(bytes, runs.session(), count)).getFirst());
    }
}
