package dev.waybill.export.parquet;

import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/** Takes the text of one column, a value or its absence for each row. */
interface TextColumn {

    /** Takes a value; its bytes are the caller's again afterwards. */
    void write(byte[] bytes, int offset, int length);

    /** Takes a null. */
    void writeNull();

    /** The column as parquet-java writes it. */
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

    /** The column, with its values and nulls summarized. */
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
