package dev.waybill.export.trace;

import java.util.Collection;
import java.util.Locale;
import java.util.function.Function;

import dev.waybill.common.trace.FeedbackSummary;
import dev.waybill.common.trace.RunSize;

/**
 * The columns of {@code trace.runs} that an export can be made of, and the feedback. Each column is read as PostgreSQL holds
 * it, without a cast or
 * an expression in the statement, so that the server only copies; turning values into what a file shows is the reader's
 * work, where it is cheaper.
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
    /** What the feedback on the run says, put together run by run; not read at all where a session has none. */
    FEEDBACK_STATS,
    /** True where texts of the row were replaced because they are too large, else null; read with any column of long text. */
    TRUNCATED,
    /** The bytes that the long texts of the row take in PostgreSQL, compressed as they are stored; of those that are read. */
    STORED_BYTES;

    /** Whether its values can be of any size. */
    public boolean isLongText() {
        return RunSize.COLUMNS.contains(column());
    }

    /** Its name in {@code trace.runs} and in the statements. */
    String column() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its value, of a row of {@code trace.runs}. */
    String sql() {
        return this == FEEDBACK_STATS ? FeedbackSummary.ofRun("runs") + " AS " + column() : column();
    }

    /** The bytes of its text; PostgreSQL knows the length of a text without decompressing it. */
    String sqlBytes() {
        // An array that is short as it is stored, compressed or not, is short.
        return this == TAGS
                ? "CASE WHEN pg_column_size(tags) > 2000 THEN octet_length(array_to_string(tags, ''))::bigint ELSE 0 END"
                : "coalesce(octet_length(" + column() + "), 0)::bigint";
    }

    /** The sum of {@link #sqlBytes()} of those of the columns that can be long. */
    public static String sqlBytes(Collection<RunColumn> columns) {
        return sum(columns, RunColumn::sqlBytes);
    }

    /** As above, of the bytes as they are stored. */
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

    /** What a truncated row has in its place. */
    String sqlTruncated() {
        return this == TAGS ? "ARRAY[export.truncated_text(array_to_string(tags, ''))]"
                : "export.truncated_text(" + column() + ")";
    }
}
