package dev.waybill.export.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.column.impl.ColumnWriteStoreV1;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

import dev.waybill.export.parquet.ColumnStatistics.TextBounds;
import dev.waybill.export.parquet.ExportField.PageSettings;
import dev.waybill.export.parquet.FieldEncoders.FieldEncoder;
import dev.waybill.export.trace.RunRow;

/**
 * The open row group. parquet-java encodes short columns; {@link PlainTextColumn} and {@link DictionaryTextColumn} encode long
 * and unique text. All store their compressed pages in native memory until the group is written.
 */
final class RowGroup implements AutoCloseable {

    private static final long MAX_BYTES_BETWEEN_CHECKS = 1 << 20;
    private static final int TYPED_PAGE_BYTES = 256 << 10;
    private static final int PLAIN_PAGE_BYTES = 1 << 20;
    private static final int LONG_PAGE_BYTES = 4 << 20;
    private static final int DICTIONARY_BYTES = 1 << 20;
    private static final int MAX_ROWS_PER_PAGE = 200_000;

    private final long maxBytes;
    private final long maxRows;
    private final long bytesBetweenChecks;
    private final List<FieldEncoder> encoders = new ArrayList<>();
    private final List<PlainTextColumn> plainColumns = new ArrayList<>();
    private final List<DictionaryTextColumn> repeatedColumns = new ArrayList<>();
    private final List<ColumnStatistics> columnStatistics = new ArrayList<>();
    private final ColumnChunkPageWriteStore pages;
    private final ColumnWriteStore typedColumns;
    private long rows;
    private long uncheckedBytes;
    private boolean full;

    RowGroup(ExportSchema schema, ExportedSession session, PageCompressor compressor, NativeMemory memory,
            FileSettings settings) {
        this.maxBytes = settings.rowGroupBytes();
        this.maxRows = settings.rowGroupRows();
        this.bytesBetweenChecks = Math.min(maxBytes / 16, MAX_BYTES_BETWEEN_CHECKS);
        MessageType message = schema.messageType();
        pages = ColumnChunkPageWriteStore.builder()
                .withCompressorProvider(column -> compressor)
                .withSchema(message)
                .withAllocator(memory)
                .withPageWriteChecksumEnabled(false)
                .build();
        typedColumns = new ColumnWriteStoreV1(typedColumnsOf(schema), pages, properties(schema));
        FieldEncoders fields = new FieldEncoders(session);
        for (ExportField field : schema.fields()) {
            ColumnDescriptor column = message.getColumnDescription(path(schema, field));
            ColumnStatistics statistics = statistics(encoders.size(), field);
            if (!isEncodedByParquet(schema, field)) {
                columnStatistics.add(statistics);
                encoders.add(
                        fields.text(field, textColumn(field.pageSettings(), memory, pages.getPageWriter(column), statistics)));
            } else if (schema.typeOf(field) == ExportType.TEXT) {
                encoders.add(fields.text(field, TextColumn.of(typedColumns.getColumnWriter(column))));
            } else {
                if (schema.typeOf(field) == ExportType.LIST) {
                    columnStatistics.add(statistics);
                }
                encoders.add(fields.typed(field, typedColumns.getColumnWriter(column), statistics));
            }
        }
    }

    private ColumnStatistics statistics(int column, ExportField field) {
        return new ColumnStatistics(column, field.hasBounds() ? new TextBounds() : null,
                field.hasBloomFilter() ? new BloomFilter(maxRows) : null);
    }

    private TextColumn textColumn(PageSettings settings, NativeMemory memory, PageWriter writer, ColumnStatistics statistics) {
        if (settings != PageSettings.PLAIN) {
            int pageBytes = settings == PageSettings.LONG ? LONG_PAGE_BYTES : PLAIN_PAGE_BYTES;
            var column = new DictionaryTextColumn(memory, pageBytes, maxBytes, writer, statistics);
            repeatedColumns.add(column);
            return column;
        }
        var column = new PlainTextColumn(memory, PLAIN_PAGE_BYTES, writer);
        plainColumns.add(column);
        return TextColumn.withStatistics(column, statistics);
    }

    private static boolean isEncodedByParquet(ExportSchema schema, ExportField field) {
        return schema.typeOf(field) != ExportType.TEXT || field.pageSettings() == PageSettings.ORDERED;
    }

    private static String[] path(ExportSchema schema, ExportField field) {
        return schema.typeOf(field) == ExportType.LIST
                ? new String[] { field.wireName(), "list", "element" }
                : new String[] { field.wireName() };
    }

    private static MessageType typedColumnsOf(ExportSchema schema) {
        List<Type> types = schema.fields().stream()
                .filter(field -> isEncodedByParquet(schema, field))
                .map(field -> schema.typeOf(field).column(field.wireName()))
                .toList();
        return new MessageType("run", types);
    }

    private static ParquetProperties properties(ExportSchema schema) {
        ParquetProperties.Builder properties = ParquetProperties.builder()
                .withWriterVersion(WriterVersion.PARQUET_1_0)
                .withPageSize(TYPED_PAGE_BYTES)
                .withDictionaryPageSize(DICTIONARY_BYTES)
                .withPageRowCountLimit(MAX_ROWS_PER_PAGE)
                .withMinRowCountForPageSizeCheck(64)
                .estimateRowCountForPageSizeCheck(false)
                .withSizeStatisticsEnabled(false);
        for (ExportField field : schema.fields()) {
            String column = String.join(".", path(schema, field));
            properties.withDictionaryEncoding(column, field.pageSettings() == PageSettings.DICTIONARY);
            properties.withStatisticsEnabled(column, schema.typeOf(field) != ExportType.LIST);
        }
        return properties.build();
    }

    void add(RunRow row) throws IOException {
        try {
            for (FieldEncoder encoder : encoders) {
                encoder.encode(row);
            }
        } catch (ArithmeticException e) {
            throw new IOException(e.getMessage(), e);
        }
        typedColumns.endRecord();
        rows++;
        uncheckedBytes += row.size();
        if (uncheckedBytes >= bytesBetweenChecks) {
            uncheckedBytes = 0;
            checkSize();
        }
    }

    // Dictionaries that save no space are dropped first; nothing else can be reduced.
    private void checkSize() {
        if (bufferedBytes() >= maxBytes) {
            repeatedColumns.stream()
                    .filter(column -> column.reclaimableBytes() > 0)
                    .max(Comparator.comparingLong(DictionaryTextColumn::reclaimableBytes))
                    .ifPresentOrElse(DictionaryTextColumn::endDictionary, () -> full = true);
        }
        full |= repeatedColumns.stream().anyMatch(DictionaryTextColumn::isDictionaryFull);
    }

    /** Returns whether the row group must be written. */
    boolean isFull() {
        return full || rows >= maxRows;
    }

    long rows() {
        return rows;
    }

    private long bufferedBytes() {
        long bytes = typedColumns.getBufferedSize();
        for (PlainTextColumn column : plainColumns) {
            bytes += column.bufferedBytes();
        }
        for (DictionaryTextColumn column : repeatedColumns) {
            bytes += column.bufferedBytes();
        }
        return bytes;
    }

    /** Writes the row group and returns its column statistics for the footer. */
    List<ColumnStatistics> writeTo(ParquetFileWriter file, HashingOutputFile output) throws IOException {
        typedColumns.flush();
        plainColumns.forEach(PlainTextColumn::endPage);
        repeatedColumns.forEach(DictionaryTextColumn::endPages);
        file.startBlock(rows);
        pages.flushToFileWriter(file);
        file.endBlock();
        for (ColumnStatistics statistics : columnStatistics) {
            statistics.writeBloomFilter(output);
        }
        return columnStatistics;
    }

    @Override
    public void close() {
        plainColumns.forEach(PlainTextColumn::close);
        repeatedColumns.forEach(DictionaryTextColumn::close);
        pages.close();
    }
}
