package dev.waybill.export.parquet;

import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;

import dev.waybill.export.trace.RunColumn;
import dev.waybill.export.trace.RunRow;

/** Encoders of the fields that have their own type in v2_beta. */
final class TypedEncoders {

    private static final double MICROS_PER_SECOND = 1e6;
    // Definition levels of an optional list of optional elements: no list, an empty list, a null element, a value.
    private static final int EMPTY_LIST = 1;
    private static final int NULL_ELEMENT = 2;
    private static final int ELEMENT = 3;

    private final byte[] uuid = new byte[Utf8Builder.UUID_LENGTH];
    private int repetition;

    FieldEncoder of(ExportField field, ColumnWriter column, ColumnStatistics statistics) {
        return switch (field) {
            case START_TIME -> time(RunColumn.START_TIME, column);
            case END_TIME -> time(RunColumn.END_TIME, column);
            case FIRST_TOKEN_TIME -> time(RunColumn.FIRST_TOKEN_TIME, column);
            case PROMPT_TOKENS -> count(RunColumn.PROMPT_TOKENS, column);
            case COMPLETION_TOKENS -> count(RunColumn.COMPLETION_TOKENS, column);
            case TOTAL_TOKENS -> count(RunColumn.TOTAL_TOKENS, column);
            case PROMPT_COST -> cost(RunColumn.PROMPT_COST, column);
            case COMPLETION_COST -> cost(RunColumn.COMPLETION_COST, column);
            case TOTAL_COST -> cost(RunColumn.TOTAL_COST, column);
            case LATENCY -> latency(column);
            case IS_ROOT -> row -> column.write(row.isNull(RunColumn.PARENT_RUN_ID), 0, 1);
            case TAGS -> list(RunColumn.TAGS, column, statistics, Binary::fromReusedByteArray);
            case PARENT_RUN_IDS -> list(RunColumn.PARENT_RUN_IDS, column, statistics, this::uuidText);
            default -> throw new IllegalArgumentException(field + " is text in every format version");
        };
    }

    private static FieldEncoder time(RunColumn source, ColumnWriter column) {
        return nonNull(source, column, row -> column.write(row.micros(source), 0, 1));
    }

    private static FieldEncoder count(RunColumn source, ColumnWriter column) {
        return nonNull(source, column, row -> column.write(row.number(source), 0, 1));
    }

    private static FieldEncoder cost(RunColumn source, ColumnWriter column) {
        return nonNull(source, column, row -> column.write(row.billionths(source), 0, 1));
    }

    private static FieldEncoder latency(ColumnWriter column) {
        return nonNull(RunColumn.END_TIME, column,
                row -> column.write(TextEncoders.latencyMicros(row) / MICROS_PER_SECOND, 0, 1));
    }

    // The values of a column are its entries, so null elements, empty lists and null lists all count as nulls.
    private FieldEncoder list(RunColumn source, ColumnWriter column, ColumnStatistics statistics, ElementText text) {
        RunRow.ElementHandler element = (bytes, offset, length) -> {
            if (length < 0) {
                statistics.addNull();
                column.writeNull(repetition, NULL_ELEMENT);
            } else {
                column.write(text.of(bytes, offset, length), repetition, ELEMENT);
            }
            repetition = 1;
        };
        FieldEncoder nonNull = nonNull(source, column, row -> {
            repetition = 0;
            row.elements(source, element);
            if (repetition == 0) {
                statistics.addNull();
                column.writeNull(0, EMPTY_LIST);
            }
        });
        return row -> {
            if (row.isNull(source)) {
                statistics.addNull();
            }
            nonNull.encode(row);
        };
    }

    private Binary uuidText(byte[] bytes, int offset, int length) {
        Utf8Builder.uuid(bytes, offset, uuid, 0);
        return Binary.fromReusedByteArray(uuid, 0, uuid.length);
    }

    private static FieldEncoder nonNull(RunColumn source, ColumnWriter column, FieldEncoder encoder) {
        return row -> {
            if (row.isNull(source)) {
                column.writeNull(0, 0);
            } else {
                encoder.encode(row);
            }
        };
    }

    /** Converts an array's element to text. */
    @FunctionalInterface
    private interface ElementText {

        Binary of(byte[] bytes, int offset, int length);
    }
}
