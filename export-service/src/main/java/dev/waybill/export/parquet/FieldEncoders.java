package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;

import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

import dev.waybill.export.trace.RunColumn;
import dev.waybill.export.trace.RunRow;

/** Creates the encoders of fields: as text, or with a type of their own in v2_beta. They share buffers: for one thread. */
final class FieldEncoders {

    private static final byte[] TRUE = "true".getBytes(UTF_8);
    private static final byte[] FALSE = "false".getBytes(UTF_8);
    private static final byte[] JSON_NULL = "null".getBytes(UTF_8);
    private static final byte[] TRACE_PARAMETER = "?trace_id=".getBytes(UTF_8);
    private static final byte[] TIME_PARAMETER = "&start_time=".getBytes(UTF_8);
    private static final double MICROS_PER_SECOND = 1e6;
    // Definition levels of an optional list of optional elements: no list, an empty list, a null element, a value.
    private static final int EMPTY_LIST = 1;
    private static final int NULL_ELEMENT = 2;
    private static final int ELEMENT = 3;

    private final ExportedSession session;
    private final Utf8Builder text = new Utf8Builder();
    private final byte[] uuid = new byte[Utf8Builder.UUID_LENGTH];
    private int repetition;

    FieldEncoders(ExportedSession session) {
        this.session = session;
    }

    /** Writes one field of a row into its column. */
    @FunctionalInterface
    interface FieldEncoder {

        void encode(RunRow row) throws IOException;
    }

    /** Returns the encoder of the field as text: of all fields in v1, of strings in v2_beta. */
    FieldEncoder text(ExportField field, TextColumn column) {
        if (field == ExportField.SESSION_ID && session.isSeveral()) {
            return uuid(RunColumn.SESSION_ID, column);
        }
        if (field.sources().isEmpty()) {
            return constant(session.value(field), column);
        }
        RunColumn source = field.sources().getFirst();
        return switch (field.encoding()) {
            case TEXT -> copy(source, column);
            case UUID -> uuid(source, column);
            case TIME -> nonNull(source, column, row -> text.time(row.micros(source)));
            case COUNT -> nonNull(source, column, row -> text.number(row.number(source)));
            case COST -> nonNull(source, column, row -> text.decimal(row.billionths(source), ExportType.COST_SCALE));
            case TEXTS -> array(source, column, text::json);
            case UUIDS -> array(source, column,
                    (bytes, offset, length) -> text.ascii((byte) '"').uuid(bytes, offset).ascii((byte) '"'));
            case LATENCY -> nonNull(source, column, row -> text.decimal(latencyMicros(row), 6));
            case IS_ROOT -> isRoot(source, column);
            case APP_PATH -> appPath(source, column);
        };
    }

    private FieldEncoder copy(RunColumn source, TextColumn column) {
        return row -> {
            if (row.isNull(source)) {
                column.writeNull();
            } else {
                column.write(row.bytes(), row.offset(source), row.length(source));
            }
        };
    }

    private FieldEncoder uuid(RunColumn source, TextColumn column) {
        return nonNull(source, column, row -> text.uuid(row.bytes(), row.offset(source)));
    }

    private FieldEncoder array(RunColumn source, TextColumn column, RunRow.ElementHandler builder) {
        RunRow.ElementHandler element = (bytes, offset, length) -> {
            if (!text.endsWith((byte) '[')) {
                text.ascii((byte) ',');
            }
            if (length < 0) {
                text.raw(JSON_NULL);
            } else {
                builder.element(bytes, offset, length);
            }
        };
        return nonNull(source, column, row -> {
            text.ascii((byte) '[');
            row.elements(source, element);
            text.ascii((byte) ']');
        });
    }

    private static FieldEncoder constant(@Nullable String value, TextColumn column) {
        if (value == null) {
            return row -> column.writeNull();
        }
        byte[] bytes = value.getBytes(UTF_8);
        return row -> column.write(bytes, 0, bytes.length);
    }

    private static long latencyMicros(RunRow row) {
        return row.number(RunColumn.END_TIME) - row.number(RunColumn.START_TIME);
    }

    private static FieldEncoder isRoot(RunColumn parent, TextColumn column) {
        return row -> {
            byte[] value = row.isNull(parent) ? TRUE : FALSE;
            column.write(value, 0, value.length);
        };
    }

    private FieldEncoder appPath(RunColumn id, TextColumn column) {
        byte[] project = "/o/%s/projects/p/%s/r/".formatted(session.tenantId(), session.sessionId()).getBytes(UTF_8);
        return nonNull(id, column, row -> text.raw(project)
                .uuid(row.bytes(), row.offset(id))
                .raw(TRACE_PARAMETER)
                .uuid(row.bytes(), row.offset(RunColumn.TRACE_ID))
                .raw(TIME_PARAMETER)
                .time(row.micros(RunColumn.START_TIME)));
    }

    private FieldEncoder nonNull(RunColumn source, TextColumn column, FieldEncoder build) {
        return row -> {
            if (row.isNull(source)) {
                column.writeNull();
            } else {
                text.clear();
                build.encode(row);
                text.writeTo(column);
            }
        };
    }

    /** Returns the encoder of a field that is not text in v2_beta. */
    FieldEncoder typed(ExportField field, ColumnWriter column, ColumnStatistics statistics) {
        RunColumn source = field.sources().getFirst();
        return switch (field.encoding()) {
            case TIME -> nonNull(source, column, row -> column.write(row.micros(source), 0, 1));
            case COUNT -> nonNull(source, column, row -> column.write(row.number(source), 0, 1));
            case COST -> nonNull(source, column, row -> column.write(row.billionths(source), 0, 1));
            case LATENCY -> nonNull(source, column, row -> column.write(latencyMicros(row) / MICROS_PER_SECOND, 0, 1));
            case IS_ROOT -> row -> column.write(row.isNull(source), 0, 1);
            case TEXTS -> list(source, column, statistics, Binary::fromReusedByteArray);
            case UUIDS -> list(source, column, statistics, this::uuidText);
            case TEXT, UUID, APP_PATH -> throw new IllegalArgumentException(field + " is text in every format version");
        };
    }

    // The values of a column are its entries, so null elements, empty lists and null lists all count as nulls.
    private FieldEncoder list(RunColumn source, ColumnWriter column, ColumnStatistics statistics, ElementText elementText) {
        RunRow.ElementHandler element = (bytes, offset, length) -> {
            if (length < 0) {
                statistics.addNull();
                column.writeNull(repetition, NULL_ELEMENT);
            } else {
                column.write(elementText.of(bytes, offset, length), repetition, ELEMENT);
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
