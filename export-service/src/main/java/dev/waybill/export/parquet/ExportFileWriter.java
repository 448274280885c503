package dev.waybill.export.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.hadoop.ParquetFileWriter;

import dev.waybill.export.trace.RunColumn;
import dev.waybill.export.trace.RunRow;

/** Writes one file, row group by row group. */
final class ExportFileWriter {

    private final int index;
    private final FileSettings settings;
    private final HashingOutputFile output;
    private final ParquetFileWriter writer;
    private final List<SortingColumn> order;
    private final List<Integer> longTexts;
    private final List<List<ColumnStatistics>> statistics = new ArrayList<>();
    private long minStartTime = Long.MAX_VALUE;
    private long maxStartTime = Long.MIN_VALUE;
    private long truncatedRows;

    ExportFileWriter(int index, ExportSchema schema, FileSettings settings, OutputStream target) throws IOException {
        this.index = index;
        this.order = schema.order();
        this.longTexts = schema.longTexts();
        this.settings = settings;
        this.output = new HashingOutputFile(target);
        this.writer = new ParquetFileWriter(output, schema.messageType(), ParquetFileWriter.Mode.CREATE,
                settings.rowGroupBytes(), 0, null,
                ParquetProperties.builder().build());
        writer.start();
    }

    /** Adds a row, which one of the file's row groups will contain, to the file's metadata. */
    void addRow(RunRow row) {
        long startTime = row.micros(RunColumn.START_TIME);
        minStartTime = Math.min(minStartTime, startTime);
        maxStartTime = Math.max(maxStartTime, startTime);
        truncatedRows += row.isTruncated() ? 1 : 0;
    }

    void write(RowGroup rows) throws IOException {
        statistics.add(rows.writeTo(writer, output));
    }

    /** Returns whether another row group could exceed the target size. */
    boolean isFull() {
        return output.getPos() + settings.rowGroupBytes() > settings.fileBytes();
    }

    WrittenFile finish() throws IOException {
        output.startTailBuffer();
        writer.end(settings.metadata());
        Footer footer = Footer.of(output.tail(), "waybill version " + settings.version() + " (build parquet-java)", order,
                statistics);
        output.finish(footer.end());
        long longTextBytes = longTexts.stream().mapToLong(column -> footer.columnBytes().get(column)).sum();
        return new WrittenFile(index, footer.rows(), output.getPos(), output.hash(), instant(minStartTime),
                instant(maxStartTime), truncatedRows, longTextBytes,
                footer.columnBytes().stream().mapToLong(Long::longValue).sum() - longTextBytes);
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
