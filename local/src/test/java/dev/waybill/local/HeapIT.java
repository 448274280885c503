package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.bench.CpuTime;
import dev.waybill.local.bench.TraceTable;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;

/** The export service has 192 MiB of heap in {@link RunningStack}, and a day has more than that. */
class HeapIT {

    private static final LocalDate DAY = LocalDate.of(2026, 3, 2);
    private static final long HEAP = 192L << 20;
    private static final int RUNS = 70_000;
    private static final int FAT_RUNS = 1_600;
    private static final long MOST_MEMORY = 512L << 20;

    private final Workspace workspace = Workspace.create("heap");

    @TempDir
    private Path folder;

    /** A process of its own for each: what others had it do, rows of the largest size among it, is measured by nobody here. */
    @BeforeEach
    void startAnew() {
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
    void aDayLargerThanTheHeapIsExported() {
        // Given
        UUID session = table().add(workspace.name(), DAY, RUNS);
        assertThat(text(session)).isGreaterThan(HEAP);

        // When
        String id = order(session);
        JsonNode export = workspace.awaitCompleted(id);

        // Then: no attempt failed; on a slow machine one may have been taken over
        assertThat(workspace.exporter().runs(id)).allSatisfy(run -> assertThat(run.get("errors"))
                .allSatisfy(error -> assertThat(error.get("code").textValue()).isEqualTo("worker_lost")));
        assertThat(export.at("/progress/rows_exported").asInt()).isEqualTo(RUNS);
        requireAllOnce(id, RUNS);
        assertThat(peakMemory()).isLessThan(MOST_MEMORY);
    }

    @Test
    void rowsOfMegabytesTakeNoMoreMemory() {
        // Given
        UUID session = table().addLargeValues(workspace.name(), DAY, FAT_RUNS);
        assertThat(2 * text(session)).isGreaterThan(HEAP);

        // When: as many at once as a replica takes
        List<String> ids = List.of(order(session), order(session));

        // Then
        for (String id : ids) {
            assertThat(workspace.awaitCompleted(id).at("/progress/rows_exported").asInt()).isEqualTo(FAT_RUNS);
        }
        requireAllOnce(ids.getFirst(), FAT_RUNS);
        assertThat(peakMemory()).isLessThan(MOST_MEMORY);
    }

    /** @return how long all of its runs are together */
    private static long text(UUID session) {
        return Long.parseLong(String.valueOf(
                TableText.value("SELECT sum(length(r::text)) FROM trace.runs r WHERE session_id = '" + session + "'")));
    }

    private TraceTable table() {
        return new TraceTable(workspace.running().stack.superuserUrl(), UUID.fromString(workspace.tenantId()));
    }

    private String order(UUID session) {
        return workspace.order(session.toString(), DAY.atStartOfDay(ZoneOffset.UTC).toInstant(),
                DAY.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant(), "v2_beta", "zstandard");
    }

    private void requireAllOnce(String exportId, int runs) {
        ExportedFiles files = workspace.download(exportId, folder);
        try (ParquetReader reader = new ParquetReader()) {
            assertThat(reader.query(files.files(), "SELECT count(*)::INT, count(DISTINCT id)::INT FROM runs"))
                    .containsExactly(List.of(runs, runs));
        }
    }

    /** @return what the service ever held at once */
    private long peakMemory() {
        return CpuTime.peakMemory(workspace.running().stack.service(ServiceKind.EXPORT).pid());
    }
}
