package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.api.export.BulkExportResponse;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;
import dev.waybill.local.traces.TraceTable;

/** Tests exports of days that are larger than the heap, which is 192 MiB in {@link RunningStack}. */
@Tag("full")
class HeapIT {

    private static final LocalDate DAY = LocalDate.of(2026, 3, 2);
    private static final long HEAP = 192L << 20;
    private static final int RUNS = 70_000;
    private static final int LARGE_RUNS = 1_600;
    private static final long MAX_MEMORY = 512L << 20;

    private final Workspace workspace = Workspace.create("heap");

    @TempDir
    private Path folder;

    /** Restarts the service, because its peak memory includes earlier tests. */
    @BeforeEach
    void restart() {
        ServiceProcess service = workspace.running().stack.service(ServiceKind.EXPORT);
        service.stop();
        service.start();
        service.awaitReady();
    }

    @AfterEach
    void deleteRuns() {
        workspace.deleteRuns();
    }

    @Test
    void exportsDayLargerThanHeap() {
        // Given
        UUID session = table().add(workspace.name(), DAY, RUNS);
        assertThat(text(session)).isGreaterThan(HEAP);

        // When
        UUID id = order(session);
        BulkExportResponse export = workspace.awaitCompleted(id);

        // Then: no attempt failed, except that on a slow machine a lease may expire
        assertThat(workspace.exporter().runs(id)).allSatisfy(run -> assertThat(run.errors().values())
                .allSatisfy(error -> assertThat(error.code()).isEqualTo("worker_lost")));
        assertThat(export.progress().rowsExported()).isEqualTo(RUNS);
        assertEveryRowOnce(id, RUNS);
        assertThat(peakMemory()).isLessThan(MAX_MEMORY);
    }

    @Test
    void rowsOfMegabytesUseNoMoreMemory() {
        // Given
        UUID session = table().addLargeValues(workspace.name(), DAY, LARGE_RUNS);
        assertThat(2 * text(session)).isGreaterThan(HEAP);

        // When: the maximum number of concurrent runs of a replica
        List<UUID> ids = List.of(order(session), order(session));

        // Then
        for (UUID id : ids) {
            assertThat(workspace.awaitCompleted(id).progress().rowsExported()).isEqualTo(LARGE_RUNS);
        }
        assertEveryRowOnce(ids.getFirst(), LARGE_RUNS);
        assertThat(peakMemory()).isLessThan(MAX_MEMORY);
    }

    /** Returns the total text length of a session's runs. */
    private static long text(UUID session) {
        return Long.parseLong(String.valueOf(
                TableText.value("SELECT sum(length(r::text)) FROM trace.runs r WHERE session_id = '" + session + "'")));
    }

    private TraceTable table() {
        return new TraceTable(workspace.running().stack.superuserUrl(), UUID.fromString(workspace.tenantId()));
    }

    private UUID order(UUID session) {
        return workspace.order(session, DAY.atStartOfDay(ZoneOffset.UTC).toInstant(),
                DAY.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant(), "v2_beta", "zstandard");
    }

    private void assertEveryRowOnce(UUID exportId, int runs) {
        ExportedFiles files = workspace.download(exportId, folder);
        try (ParquetReader reader = new ParquetReader()) {
            assertThat(reader.query(files.files(), "SELECT count(*)::INT, count(DISTINCT id)::INT FROM runs"))
                    .containsExactly(List.of(runs, runs));
        }
    }

    /** Returns the service's peak memory. */
    private long peakMemory() {
        return CpuTime.peakMemory(workspace.running().stack.service(ServiceKind.EXPORT).pid());
    }
}
