package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.bench.TraceTable;
import dev.waybill.local.tour.ExportedFiles;
import dev.waybill.local.tour.ParquetReader;

/** The export service has 256 MiB of heap in {@link RunningStack}, and a day has more than that. */
class HeapIT {

    private static final LocalDate DAY = LocalDate.of(2026, 3, 2);
    private static final int RUNS = 100_000;

    private final Workspace workspace = Workspace.create("heap");

    @TempDir
    private Path folder;

    @AfterEach
    void forget() {
        workspace.forgetRuns();
    }

    @Test
    void aDayLargerThanTheHeapIsExported() {
        // Given
        UUID session = new TraceTable(workspace.running().stack.superuserUrl(), UUID.fromString(workspace.tenantId()))
                .add(workspace.name(), DAY, RUNS);

        // When
        String id = workspace.order(session.toString(), DAY.atStartOfDay(ZoneOffset.UTC).toInstant(),
                DAY.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant(), "v2_beta", "zstandard");
        JsonNode export = workspace.awaitCompleted(id);

        // Then: at the first attempt
        assertThat(workspace.exporter().runs(id)).allSatisfy(run -> assertThat(run.get("retry_number").asInt()).isZero());
        assertThat(export.at("/progress/rows_exported").asInt()).isEqualTo(RUNS);
        ExportedFiles files = workspace.download(id, folder);
        try (ParquetReader reader = new ParquetReader()) {
            assertThat(reader.query(files.files(), "SELECT count(*)::INT, count(DISTINCT id)::INT FROM runs"))
                    .containsExactly(List.of(RUNS, RUNS));
        }
    }
}
