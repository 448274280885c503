package dev.waybill.export.trace;

import java.util.Locale;

import dev.waybill.common.trace.FeedbackSummary;

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
    FEEDBACK_STATS;

    /** Whether its values can be of any size. */
    boolean isLongText() {
        return switch (this) {
            case NAME, INPUTS, OUTPUTS, ERROR, EVENTS, EXTRA, METADATA -> true;
            default -> false;
        };
    }

    String sql() {
        return this == FEEDBACK_STATS ? FeedbackSummary.ofRun("runs") : name().toLowerCase(Locale.ROOT);
    }
}
