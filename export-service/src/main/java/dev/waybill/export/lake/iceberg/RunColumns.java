package dev.waybill.export.lake.iceberg;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

import dev.waybill.export.parquet.ExportField;
import dev.waybill.export.parquet.ExportSchema;
import dev.waybill.export.parquet.FieldIds;

/** The columns, partitions and order of the table of runs. */
final class RunColumns {

    private RunColumns() {
    }

    /** Returns the columns that this release writes. */
    static Schema schema() {
        return schema(ExportSchema.lake());
    }

    /** Returns the columns of a new table, to which Iceberg gives these ids; its first publication adds the others. */
    static Schema initial() {
        return new Schema(schema().columns().stream()
                .filter(column -> column.fieldId() <= FieldIds.LAST_OF_FIRST_RELEASE)
                .toList());
    }

    static Schema schema(ExportSchema files) {
        List<ExportSchema.Column> columns = files.columns();
        return new Schema(IntStream.range(0, columns.size())
                .mapToObj(i -> column(files.fields().get(i), columns.get(i)))
                .toList());
    }

    /** Returns the columns of the table and those of this release; another release may have added some. */
    static Schema merge(Schema table, Schema release) {
        List<NestedField> columns = new ArrayList<>(table.columns());
        release.columns().stream()
                .filter(column -> table.findField(column.fieldId()) == null)
                .forEach(columns::add);
        return new Schema(columns);
    }

    /** Returns the highest id that was ever used in the table. */
    static int lastColumnId(TableMetadata table, Schema merged) {
        return Math.max(table.lastColumnId(), merged.highestFieldId());
    }

    static PartitionSpec partitions(Schema schema) {
        return PartitionSpec.builderFor(schema).day(ExportField.START_TIME.wireName(), "day").build();
    }

    static SortOrder order(Schema schema) {
        return SortOrder.builderFor(schema)
                .asc(ExportField.SESSION_ID.wireName())
                .asc(ExportField.START_TIME.wireName())
                .asc(ExportField.ID.wireName())
                .build();
    }

    private static NestedField column(ExportField field, ExportSchema.Column column) {
        return NestedField.optional(FieldIds.column(field), column.name(), switch (column.type()) {
            case "STRING" -> Types.StringType.get();
            case "TIMESTAMP(MICROS,UTC)" -> Types.TimestampType.withZone();
            case "INT64" -> Types.LongType.get();
            case "DOUBLE" -> Types.DoubleType.get();
            case "DECIMAL(18,9)" -> Types.DecimalType.of(18, 9);
            case "BOOLEAN" -> Types.BooleanType.get();
            case "LIST<STRING>" -> Types.ListType.ofOptional(FieldIds.element(field), Types.StringType.get());
            default -> throw new IllegalStateException("no type of tables for " + column.type());
        });
    }
}
