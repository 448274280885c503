package dev.waybill.export.parquet;

import static org.apache.parquet.schema.LogicalTypeAnnotation.decimalType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timestampType;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BINARY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BOOLEAN;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.DOUBLE;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT64;

import org.apache.parquet.schema.ColumnOrder;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * The types of fields in {@code v2_beta}, with their names in the manifest. Some readers reject or misread the UUID, JSON, ENUM
 * and VARIANT annotations and nanoseconds, so these are not used (contract.md "Bulk export").
 */
enum ExportType {
    TEXT("STRING"),
    TIME("TIMESTAMP(MICROS,UTC)"),
    COUNT("INT64"),
    COST("DECIMAL(18,9)"),
    SECONDS("DOUBLE"),
    FLAG("BOOLEAN"),
    LIST("LIST<STRING>");

    static final int COST_PRECISION = 18;
    static final int COST_SCALE = 9;

    private final String typeName;

    ExportType(String typeName) {
        this.typeName = typeName;
    }

    String typeName() {
        return typeName;
    }

    Type column(String name) {
        return switch (this) {
            case TEXT -> Types.optional(BINARY).as(stringType()).named(name);
            case TIME -> Types.optional(INT64).as(timestampType(true, TimeUnit.MICROS)).named(name);
            case COUNT -> Types.optional(INT64).named(name);
            case COST -> Types.optional(INT64).as(decimalType(COST_SCALE, COST_PRECISION)).named(name);
            // The column order of the original specification: parquet-java's default for floating point is newer, and readers
            // such as Polars reject the whole file.
            case SECONDS -> Types.optional(DOUBLE).columnOrder(ColumnOrder.typeDefined()).named(name);
            case FLAG -> Types.optional(BOOLEAN).named(name);
            case LIST -> Types.optionalList().optionalElement(BINARY).as(stringType()).named(name);
        };
    }
}
