package dev.waybill.export.lake.iceberg;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

import org.apache.iceberg.Metrics;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types.NestedField;

import dev.waybill.export.parquet.ColumnSummary;
import dev.waybill.export.parquet.FileFooter;
import dev.waybill.export.parquet.PlainValues;

/** Reads the statistics in a file's footer, by which engines skip files. */
final class FileMetrics {

    private static final int FOOTER_BYTES = 256 << 10;

    private FileMetrics() {
    }

    static Metrics read(ObjectFileIO io, PublishedFile file, Schema schema) throws IOException {
        byte[] end = io.readEnd(file.key(), file.bytes(), (int) Math.min(FOOTER_BYTES, file.bytes()));
        int size = FileFooter.size(end);
        if (size > end.length) {
            end = io.readEnd(file.key(), file.bytes(), size);
        }
        Map<Integer, Long> sizes = new HashMap<>();
        Map<Integer, Long> values = new HashMap<>();
        Map<Integer, Long> nulls = new HashMap<>();
        Map<Integer, ByteBuffer> lower = new HashMap<>();
        Map<Integer, ByteBuffer> upper = new HashMap<>();
        for (ColumnSummary column : FileFooter.columns(end)) {
            NestedField field = schema.findField(column.name());
            if (field == null) {
                continue;
            }
            sizes.put(field.fieldId(), column.bytes());
            values.put(field.fieldId(), column.values());
            if (column.nulls() != null) {
                nulls.put(field.fieldId(), column.nulls());
            }
            ColumnSummary.Bounds bounds = column.bounds();
            if (bounds != null) {
                lower.put(field.fieldId(), value(field, bounds.min()));
                upper.put(field.fieldId(), value(field, bounds.max()));
            }
        }
        return new Metrics(file.rows(), sizes, values, nulls, Map.of(), lower, upper);
    }

    // Iceberg encodes single values as Parquet does, except for decimals: big-endian and as short as possible.
    private static ByteBuffer value(NestedField field, byte[] plain) {
        return ByteBuffer.wrap(field.type().typeId() == TypeID.DECIMAL
                ? BigInteger.valueOf(PlainValues.int64(plain)).toByteArray()
                : plain);
    }
}
