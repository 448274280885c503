package dev.waybill.export.trace;

import java.util.Collection;
import java.util.Locale;
import java.util.function.Function;

import dev.waybill.common.trace.FeedbackSummary;
import dev.waybill.common.trace.RunSize;

/**
 * The columns of {@code trace.runs} that exports use, and the feedback. Each is read as PostgreSQL stores it, without casts or
 * expressions, so that the server only copies; the reader converts values at lower cost.
 */
public enum RunColumn {
    ID,
    TRACE_ID,
    PARENT_RUN_ID,
    PARENT_RUN_IDS,
    DOTTED_ORDER,
    NAME,
    RUN_TYPE,
    STATUS,
    START_TIME,
    END_TIME,
    FIRST_TOKEN_TIME,
    INPUTS,
    OUTPUTS,
    ERROR,
    EVENTS,
    EXTRA,
    METADATA,
    TAGS,
    REFERENCE_EXAMPLE_ID,
    PROMPT_TOKENS,
    COMPLETION_TOKENS,
    TOTAL_TOKENS,
    PROMPT_COST,
    COMPLETION_COST,
    TOTAL_COST,
    MANIFEST_ID,
    TRACE_TIER,
    THREAD_ID,
    SESSION_ID,
    SERIALIZED,
    /** The summary of the feedback on the run; omitted for sessions without feedback. */
    FEEDBACK_STATS,
    /** True if texts of the row were replaced because they are too large, otherwise null; read with any column of long text. */
    TRUNCATED,
    /** The size of the row's long texts in PostgreSQL, compressed as stored; counts the selected columns only. */
    STORED_BYTES;

    /** Returns whether values have no size limit. */
    public boolean isLongText() {
        return RunSize.COLUMNS.contains(column());
    }

    /** Returns its name in {@code trace.runs} and in statements. */
    String column() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the SQL expression of its value for a row of {@code trace.runs}. */
    String sql() {
        return this == FEEDBACK_STATS ? FeedbackSummary.ofRun("runs") + " AS " + column() : column();
    }

    /** Returns the SQL expression of its text's size; PostgreSQL determines the length of a text without decompressing it. */
    String sqlBytes() {
        // An array that is small in storage, compressed or not, is small.
        return this == TAGS
                ? "CASE WHEN pg_column_size(tags) > 2000 THEN octet_length(array_to_string(tags, ''))::bigint ELSE 0 END"
                : "coalesce(octet_length(" + column() + "), 0)::bigint";
    }

    /** Returns the sum of {@link #sqlBytes()} over the columns of long text. */
    public static String sqlBytes(Collection<RunColumn> columns) {
        return sum(columns, RunColumn::sqlBytes);
    }

    /** Returns the SQL expression of the stored size of the columns of long text. */
    public static String sqlStoredBytes(Collection<RunColumn> columns) {
        return sum(columns, column -> "coalesce(pg_column_size(" + column.column() + "), 0)::bigint");
    }

    private static String sum(Collection<RunColumn> columns, Function<RunColumn, String> bytes) {
        return columns.stream()
                .filter(RunColumn::isLongText)
                .sorted()
                .map(bytes)
                .reduce((one, other) -> one + " + " + other)
                .orElse("0::bigint");
    }

    /** Returns the SQL expression that replaces the value in a truncated row. */
    String sqlTruncated() {
        return this == TAGS ? "ARRAY[export.truncated_text(array_to_string(tags, ''))]"
                : "export.truncated_text(" + column() + ")";
    }
}
