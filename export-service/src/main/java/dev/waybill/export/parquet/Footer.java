package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;

import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.format.Util;

/**
 * The end of a Parquet file, parsed after parquet-java has written it and extended with entries that parquet-java cannot set:
 * {@code created_by}, the sort order, and the statistics of columns with their own encoders.
 *
 * @param rows the number of rows of all row groups
 * @param end page indexes, footer, its length and the magic number
 * @param columnBytes the size of each column over all row groups, in column order
 */
record Footer(long rows, byte[] end, List<Long> columnBytes) {

    private static final byte[] MAGIC = "PAR1".getBytes(US_ASCII);
    private static final int TRAILER_BYTES = Integer.BYTES + MAGIC.length;

    static Footer of(byte[] end, String createdBy, List<SortingColumn> order, List<List<ColumnStatistics>> statistics)
            throws IOException {
        int trailer = end.length - TRAILER_BYTES;
        int length = littleEndian(ByteBuffer.wrap(end)).getInt(trailer);
        int start = trailer - length;
        FileMetaData metadata = Util.readFileMetaData(new ByteArrayInputStream(end, start, length));
        long rows = metadata.getRow_groups().stream().mapToLong(RowGroup::getNum_rows).sum();
        metadata.setCreated_by(createdBy);
        for (int i = 0; i < statistics.size(); i++) {
            addTo(metadata.getRow_groups().get(i), order, statistics.get(i));
        }
        var signed = new ByteArrayOutputStream(end.length);
        signed.write(end, 0, start);
        Util.writeFileMetaData(metadata, signed);
        ByteBuffer tail = littleEndian(ByteBuffer.allocate(TRAILER_BYTES));
        tail.putInt(signed.size() - start).put(MAGIC);
        signed.writeBytes(tail.array());
        return new Footer(rows, signed.toByteArray(), columnBytes(metadata));
    }

    private static List<Long> columnBytes(FileMetaData metadata) {
        int columns = metadata.getRow_groups().getFirst().getColumnsSize();
        return IntStream.range(0, columns)
                .mapToObj(column -> metadata.getRow_groups().stream()
                        .mapToLong(rows -> rows.getColumns().get(column).getMeta_data().getTotal_compressed_size())
                        .sum())
                .toList();
    }

    private static void addTo(RowGroup rows, List<SortingColumn> order, List<ColumnStatistics> statistics) {
        if (!order.isEmpty()) {
            rows.setSorting_columns(order);
        }
        statistics.forEach(column -> column.addTo(rows.getColumns().get(column.column()).getMeta_data()));
    }

    private static ByteBuffer littleEndian(ByteBuffer buffer) {
        return buffer.order(ByteOrder.LITTLE_ENDIAN);
    }
}
