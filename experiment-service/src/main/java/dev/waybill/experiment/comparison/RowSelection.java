package dev.waybill.experiment.comparison;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.api.experiment.ExperimentRange;

/**
 * The rows of a comparison that a request selects, and their order.
 *
 * @param key the feedback key to sort and filter by; null for any key
 * @param experiment the experiment to sort and filter by; null for any experiment
 * @param scoreRanges conditions on scores; all must be true
 * @param differenceRanges conditions on differences from the baseline; all must be true
 * @param exampleId example of the only row, whatever the other conditions; null for any example
 */
record RowSelection(@Nullable String key, Sort sort, Filter filter, @Nullable UUID experiment,
        List<ExperimentRange> scoreRanges,
        List<ExperimentRange> differenceRanges, @Nullable UUID exampleId) {

    RowSelection {
        scoreRanges = List.copyOf(scoreRanges);
        differenceRanges = List.copyOf(differenceRanges);
    }

    /** Sort order of the rows; ties are sorted by example id. */
    enum Sort {
        EXAMPLE("0"),
        DIFFERENCE("lowest"),
        DIFFERENCE_DESCENDING("-highest");

        private final String expression;

        Sort(String expression) {
            this.expression = expression;
        }

        /** Returns the SQL expression to sort by in ascending order. */
        String expression() {
            return expression;
        }

        static Sort parse(@Nullable String text) {
            return switch (text) {
                case "difference" -> DIFFERENCE;
                case "-difference" -> DIFFERENCE_DESCENDING;
                case null, default -> EXAMPLE;
            };
        }
    }

    /** Condition on the rows. */
    enum Filter {
        NONE("true"),
        BETTER("better"),
        WORSE("worse"),
        SAME("same"),
        MISSING("missing");

        private final String condition;

        Filter(String condition) {
            this.condition = condition;
        }

        /** Returns the condition in SQL. */
        String condition() {
            return condition;
        }

        static Filter parse(@Nullable String text) {
            return switch (text) {
                case "better" -> BETTER;
                case "worse" -> WORSE;
                case "same" -> SAME;
                case "missing" -> MISSING;
                case null, default -> NONE;
            };
        }
    }

    static RowSelection of(CompareExperimentsRequest request) {
        return new RowSelection(request.feedbackKey(), Sort.parse(request.sort()), Filter.parse(request.filter()),
                request.experimentId(), request.scoreRanges() == null ? List.of() : request.scoreRanges(),
                request.differenceRanges() == null ? List.of() : request.differenceRanges(), request.exampleId());
    }

    /** Returns all values, for keys of caches and entity tags. */
    @Nullable
    Object[] values() {
        return new @Nullable Object[] { key, sort, filter, experiment, scoreRanges, differenceRanges, exampleId };
    }

    /** Returns whether rows without any score can be selected. */
    boolean includesUnscored() {
        return filter == Filter.NONE && scoreRanges.isEmpty() && differenceRanges.isEmpty();
    }

    /** Returns whether the selection does not depend on scores. */
    boolean ignoresScores() {
        return sort == Sort.EXAMPLE && includesUnscored();
    }
}
