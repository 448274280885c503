package dev.waybill.export.parquet;

import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

/** Takes the text of one column, a value or its absence for each row. */
interface TextColumn {

    /** Takes a value; its bytes are the caller's again afterwards. */
    void text(byte[] bytes, int offset, int length);

    /** Takes a null. */
    void absent();

    /** The column as parquet-java writes it. */
    static TextColumn of(ColumnWriter writer) {
        return new TextColumn() {

            @Override
            public void text(byte[] bytes, int offset, int length) {
                writer.write(Binary.fromReusedByteArray(bytes, offset, length), 0, 1);
            }

            @Override
            public void absent() {
                writer.writeNull(0, 0);
            }
        };
    }

    /** The column, with its values and nulls summarized. */
    static TextColumn summarized(TextColumn column, ColumnStatistics summary) {
        return new TextColumn() {

            @Override
            public void text(byte[] bytes, int offset, int length) {
                summary.value(bytes, offset, length);
                column.text(bytes, offset, length);
            }

            @Override
            public void absent() {
                summary.absent();
                column.absent();
            }
        };
    }
}
