package dev.waybill.export.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.apache.parquet.format.BoundaryOrder;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.export.trace.BinaryRows;
import dev.waybill.export.trace.RunColumn;

/** Tests the page index, by which readers of a few hours find the pages in the footer. */
class PageIndexTest {

    // Eight bytes each, 256 KiB per page.
    private static final int RUNS = 100_000;
    private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");

    @TempDir
    Path folder;

    @Test
    void footerIndexesStartTimesAndAllPages() throws Exception {
        // Given
        ParquetFiles files = new ParquetFiles(folder);
        var fields = List.of(ExportField.START_TIME, ExportField.ID, ExportField.INPUTS);
        var settings = FileSettings.of(Compression.ZSTANDARD, "1.2.3", Map.of());
        try (var writer = new ParquetRunWriter(ExportSchema.of(fields, FormatVersion.V2_BETA),
                new ExportedSession(UUID.randomUUID(), UUID.randomUUID(), "session"), settings, files)) {
            for (int i = 0; i < RUNS; i++) {
                writer.row(BinaryRows.of(Map.of(RunColumn.ID, UUID.randomUUID(), RunColumn.START_TIME, START.plusMillis(i),
                        RunColumn.INPUTS, "{\"number\":" + i + "}")));
            }
            // When
            writer.finish(RUNS);
        }

        // Then
        byte[] file = Files.readAllBytes(files.path(0));
        FileMetaData metadata = metadata(file);
        List<ColumnChunk> columns = metadata.getRow_groups().getFirst().getColumns();
        ColumnIndex times = Util.readColumnIndex(at(file, columns.getFirst().getColumn_index_offset()));
        assertThat(times.getBoundary_order()).isEqualTo(BoundaryOrder.ASCENDING);
        assertThat(times.getMin_values()).hasSizeGreaterThan(2);
        assertThat(columns).allSatisfy(column -> {
            OffsetIndex pages = Util.readOffsetIndex(at(file, column.getOffset_index_offset()));
            assertThat(pages.getPage_locations()).isNotEmpty();
            assertThat(pages.getPage_locations().getFirst().getFirst_row_index()).isZero();
        });
    }

    private static FileMetaData metadata(byte[] file) throws IOException {
        int trailer = file.length - 8;
        assertThat(new String(file, trailer + 4, 4, StandardCharsets.US_ASCII)).isEqualTo("PAR1");
        int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(trailer);
        return Util.readFileMetaData(at(file, trailer - length));
    }

    private static ByteArrayInputStream at(byte[] file, long offset) {
        return new ByteArrayInputStream(file, (int) offset, file.length - (int) offset);
    }
}
