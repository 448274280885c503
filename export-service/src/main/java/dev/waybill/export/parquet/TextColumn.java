package dev.waybill.export.parquet;

import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/** Writes one column of text, a value or null for each row. */
interface TextColumn {

    /** Writes a value; the caller may change its bytes afterwards. */
    void write(byte[] bytes, int offset, int length);

    /** Writes a null. */
    void writeNull();

    /** Returns a column that parquet-java encodes. */
    static TextColumn of(ColumnWriter writer) {
        return new TextColumn() {

            @Override
            public void write(byte[] bytes, int offset, int length) {
                writer.write(Binary.fromReusedByteArray(bytes, offset, length), 0, 1);
            }

            @Override
            public void writeNull() {
                writer.writeNull(0, 0);
            }
        };
    }

    /** Returns a column that adds its values and nulls to the statistics. */
    static TextColumn withStatistics(TextColumn column, ColumnStatistics statistics) {
        return new TextColumn() {

            @Override
            public void write(byte[] bytes, int offset, int length) {
                statistics.addValue(bytes, offset, length);
                column.write(bytes, offset, length);
            }

            @Override
            public void writeNull() {
                statistics.addNull();
                column.writeNull();
            }
        };
    }
}
