package dev.waybill.export.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.export.trace.BinaryRows;
import dev.waybill.export.trace.RunColumn;

class FileFooterTest {

    private static final int RUNS = 1234;

    @TempDir
    Path folder;

    @Test
    void rowsAreReadFromTheEndOfTheFile() throws Exception {
        // Given
        ParquetFiles files = new ParquetFiles(folder);
        try (var writer = new ParquetRunWriter(
                ExportSchema.of(List.of(ExportField.START_TIME, ExportField.ID), FormatVersion.V2_BETA),
                new ExportedSession(UUID.randomUUID(), UUID.randomUUID(), "session"),
                FileSettings.of(Compression.ZSTANDARD, "1.2.3", Map.of()), files)) {
            for (int i = 0; i < RUNS; i++) {
                writer.row(BinaryRows.of(Map.of(RunColumn.ID, UUID.randomUUID(), RunColumn.START_TIME,
                        Instant.EPOCH.plusMillis(i))));
            }
            writer.finish(RUNS);
        }

        // When
        byte[] file = Files.readAllBytes(files.path(0));

        // Then
        assertThat(FileFooter.rows(file)).hasValue(RUNS);
        assertThat(FileFooter.rows(Arrays.copyOfRange(file, file.length / 2, file.length))).hasValue(RUNS);
        assertThat(FileFooter.rows(Arrays.copyOfRange(file, file.length - 100, file.length))).isEmpty();
        assertThat(FileFooter.rows(Arrays.copyOf(file, file.length - 1))).isEmpty();
    }

    @Test
    void otherContentHasNoFooter() {
        assertThat(FileFooter.rows(new byte[0])).isEmpty();
        assertThat(FileFooter.rows("PAR1".getBytes(StandardCharsets.US_ASCII))).isEmpty();
        assertThat(FileFooter.rows(new byte[] { -1, -1, -1, -1, 'P', 'A', 'R', '1' })).isEmpty();
        assertThat(FileFooter.rows(new byte[] { 3, 0, 0, 0, 'P', 'A', 'R', '1' })).isEmpty();
    }
}
