package dev.waybill.experiment.otlp;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.experiment.body.IntakeConfig;

/**
 * Limits the spans and values of one request while it is parsed: a few bytes in the body may create an object each, so the
 * body's size alone does not limit memory.
 */
final class SpanLimits {

    private static final int MAX_VALUES = 500_000;
    private static final int MAX_VALUE_DEPTH = 64;

    private final int maxSpans;
    private final int maxValues;
    private int spans;
    private int values;

    SpanLimits() {
        this(IntakeConfig.MAX_SPANS, MAX_VALUES);
    }

    SpanLimits(int maxSpans, int maxValues) {
        this.maxSpans = maxSpans;
        this.maxValues = maxValues;
    }

    void addSpan() {
        if (++spans > maxSpans) {
            throw tooLarge(maxSpans + " spans", maxSpans);
        }
        addValue();
    }

    /** Counts one attribute, element, event, link or other object. */
    void addValue() {
        if (++values > maxValues) {
            throw tooLarge(maxValues + " attributes, events and links", maxValues);
        }
    }

    static void checkDepth(int depth) {
        if (depth > MAX_VALUE_DEPTH) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    "The value of an attribute is nested more than " + MAX_VALUE_DEPTH + " levels deep.");
        }
    }

    private static ProblemException tooLarge(String what, int limit) {
        return new ProblemException(CommonProblem.TOO_LARGE,
                "The request has more than " + what + "; export fewer spans per request.").with("limit", limit);
    }
}
