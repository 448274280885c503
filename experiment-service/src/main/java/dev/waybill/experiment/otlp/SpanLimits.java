package dev.waybill.experiment.otlp;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;

/**
 * Counts what one request brings while it is read: a few bytes on the wire may stand for an object each, so the size of the
 * body
 * alone bounds nothing.
 */
final class SpanLimits {

    private static final int DEEPEST_VALUE = 64;

    private final int mostSpans;
    private final int mostValues;
    private int spans;
    private int values;

    SpanLimits(int mostSpans, int mostValues) {
        this.mostSpans = mostSpans;
        this.mostValues = mostValues;
    }

    void addSpan() {
        if (++spans > mostSpans) {
            throw tooLarge(mostSpans + " spans", mostSpans);
        }
        addValue();
    }

    /** One attribute, element, event, link or whatever else takes an object. */
    void addValue() {
        if (++values > mostValues) {
            throw tooLarge(mostValues + " attributes, events and links", mostValues);
        }
    }

    static void checkDepth(int depth) {
        if (depth > DEEPEST_VALUE) {
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST,
                    "The value of an attribute is nested more than " + DEEPEST_VALUE + " deep.");
        }
    }

    private static ProblemException tooLarge(String what, int limit) {
        return new ProblemException(CommonProblem.TOO_LARGE,
                "The request has more than " + what + "; export fewer spans at once.").with("limit", limit);
    }
}
