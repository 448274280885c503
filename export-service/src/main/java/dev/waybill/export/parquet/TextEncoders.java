package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.trace.RunColumn;
import dev.waybill.export.trace.RunRow;

/** Encoders of the fields that are written as text: all of them in v1, the strings in v2_beta. */
final class TextEncoders {

    private static final byte[] TRUE = "true".getBytes(UTF_8);
    private static final byte[] FALSE = "false".getBytes(UTF_8);
    private static final byte[] JSON_NULL = "null".getBytes(UTF_8);
    private static final byte[] TRACE_PARAMETER = "?trace_id=".getBytes(UTF_8);
    private static final byte[] TIME_PARAMETER = "&start_time=".getBytes(UTF_8);

    private final ExportedSession session;
    private final Utf8Builder text = new Utf8Builder();

    TextEncoders(ExportedSession session) {
        this.session = session;
    }

    FieldEncoder of(ExportField field, TextColumn column) {
        return switch (field) {
            case ID -> uuid(RunColumn.ID, column);
            case TRACE_ID -> uuid(RunColumn.TRACE_ID, column);
            case PARENT_RUN_ID -> uuid(RunColumn.PARENT_RUN_ID, column);
            case REFERENCE_EXAMPLE_ID -> uuid(RunColumn.REFERENCE_EXAMPLE_ID, column);
            case MANIFEST_ID -> uuid(RunColumn.MANIFEST_ID, column);
            case DOTTED_ORDER -> copy(RunColumn.DOTTED_ORDER, column);
            case NAME -> copy(RunColumn.NAME, column);
            case RUN_TYPE -> copy(RunColumn.RUN_TYPE, column);
            case STATUS -> copy(RunColumn.STATUS, column);
            case INPUTS -> copy(RunColumn.INPUTS, column);
            case OUTPUTS -> copy(RunColumn.OUTPUTS, column);
            case ERROR -> copy(RunColumn.ERROR, column);
            case EVENTS -> copy(RunColumn.EVENTS, column);
            case EXTRA -> copy(RunColumn.EXTRA, column);
            case METADATA -> copy(RunColumn.METADATA, column);
            case TRACE_TIER -> copy(RunColumn.TRACE_TIER, column);
            case START_TIME -> time(RunColumn.START_TIME, column);
            case END_TIME -> time(RunColumn.END_TIME, column);
            case FIRST_TOKEN_TIME -> time(RunColumn.FIRST_TOKEN_TIME, column);
            case PROMPT_TOKENS -> count(RunColumn.PROMPT_TOKENS, column);
            case COMPLETION_TOKENS -> count(RunColumn.COMPLETION_TOKENS, column);
            case TOTAL_TOKENS -> count(RunColumn.TOTAL_TOKENS, column);
            case PROMPT_COST -> cost(RunColumn.PROMPT_COST, column);
            case COMPLETION_COST -> cost(RunColumn.COMPLETION_COST, column);
            case TOTAL_COST -> cost(RunColumn.TOTAL_COST, column);
            case TAGS -> texts(RunColumn.TAGS, column);
            case PARENT_RUN_IDS -> uuids(RunColumn.PARENT_RUN_IDS, column);
            case TENANT_ID -> constant(session.tenantId().toString(), column);
            case SESSION_ID -> constant(session.sessionId().toString(), column);
            case SESSION_NAME -> constant(session.sessionName(), column);
            case FEEDBACK_STATS -> copy(RunColumn.FEEDBACK_STATS, column);
            case LATENCY -> latency(column);
            case IS_ROOT -> root(column);
            case APP_PATH -> appPath(column);
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

    private FieldEncoder time(RunColumn source, TextColumn column) {
        return nonNull(source, column, row -> text.time(row.micros(source)));
    }

    private FieldEncoder count(RunColumn source, TextColumn column) {
        return nonNull(source, column, row -> text.number(row.number(source)));
    }

    private FieldEncoder cost(RunColumn source, TextColumn column) {
        return nonNull(source, column, row -> text.decimal(row.billionths(source), ExportType.COST_SCALE));
    }

    private FieldEncoder texts(RunColumn source, TextColumn column) {
        return array(source, column, text::json);
    }

    private FieldEncoder uuids(RunColumn source, TextColumn column) {
        return array(source, column, (bytes, offset, length) -> text.ascii((byte) '"').uuid(bytes, offset).ascii((byte) '"'));
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

    private FieldEncoder constant(@Nullable String value, TextColumn column) {
        if (value == null) {
            return row -> column.writeNull();
        }
        byte[] bytes = value.getBytes(UTF_8);
        return row -> column.write(bytes, 0, bytes.length);
    }

    private FieldEncoder latency(TextColumn column) {
        return nonNull(RunColumn.END_TIME, column, row -> text.decimal(latencyMicros(row), 6));
    }

    static long latencyMicros(RunRow row) {
        return row.number(RunColumn.END_TIME) - row.number(RunColumn.START_TIME);
    }

    private static FieldEncoder root(TextColumn column) {
        return row -> {
            byte[] value = row.isNull(RunColumn.PARENT_RUN_ID) ? TRUE : FALSE;
            column.write(value, 0, value.length);
        };
    }

    private FieldEncoder appPath(TextColumn column) {
        byte[] project = "/o/%s/projects/p/%s/r/".formatted(session.tenantId(), session.sessionId()).getBytes(UTF_8);
        return nonNull(RunColumn.ID, column, row -> text.raw(project)
                .uuid(row.bytes(), row.offset(RunColumn.ID))
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
}
