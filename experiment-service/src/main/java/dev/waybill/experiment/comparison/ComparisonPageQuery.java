package dev.waybill.experiment.comparison;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.page.PageParameters;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Builds the query for one page of rows of a comparison.
 *
 * @param key the feedback key to sort and filter by; null for any key
 */
record ComparisonPageQuery(@Nullable String key, Sort sort, Filter filter, PageParameters page) {

    // Queries that neither sort nor filter by scores do not read feedback.
    private static final String UNSCORED_ROWS = ScoreSql.runs() + """
            , wanted AS (SELECT DISTINCT example_id, 0 AS sort_value FROM r)
            """;
    private static final String SCORED_ROWS = ScoreSql.differences(" AND ($4::text IS NULL OR key = $4)")
            + """
                    , k AS (
                        SELECT example_id, key, count(*) < cardinality($2) AS missing, min(difference) AS lowest,
                            max(difference) AS highest, count(difference) > 0 AS paired,
                            coalesce(bool_or(CASE WHEN key = ANY($5) THEN difference < 0 ELSE difference > 0 END), false) AS better,
                            coalesce(bool_or(CASE WHEN key = ANY($5) THEN difference > 0 ELSE difference < 0 END), false) AS worse
                        FROM d GROUP BY example_id, key)
                    , marks AS (
                        SELECT example_id, min(lowest) AS lowest, max(highest) AS highest, bool_or(missing) AS missing,
                            bool_or(better) AS better, bool_or(worse) AS worse,
                            bool_or(paired) AND NOT bool_or(better) AND NOT bool_or(worse) AS same
                        FROM k GROUP BY example_id)
                    , wanted AS (
                        SELECT example_id, %s AS sort_value FROM (SELECT DISTINCT example_id FROM r) e %s JOIN marks m USING (example_id) %s)
                    """;
    private static final String PAGE = """
            SELECT (SELECT count(*) FROM wanted) AS total,
                ARRAY(SELECT example_id FROM wanted ORDER BY sort_value NULLS LAST, example_id LIMIT %d OFFSET %d) AS ids
            """;

    /** Sort order of the rows; ties are sorted by example id. */
    enum Sort {
        EXAMPLE("0"),
        DIFFERENCE("lowest"),
        DIFFERENCE_DESCENDING("-highest");

        private final String sortExpression;

        Sort(String sortExpression) {
            this.sortExpression = sortExpression;
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
        NONE(""),
        BETTER("WHERE better"),
        WORSE("WHERE worse"),
        SAME("WHERE same"),
        MISSING("WHERE missing");

        private final String condition;

        Filter(String condition) {
            this.condition = condition;
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

    /** Reads the request; responds with 422 if it sorts by a difference without naming a feedback key. */
    static ComparisonPageQuery of(CompareExperimentsRequest request) {
        Sort sort = Sort.parse(request.sort());
        if (sort != Sort.EXAMPLE && request.feedbackKey() == null) {
            throw ProblemException.invalid(Violation.of("feedback_key",
                    "must be given to sort by a difference: rows are sorted by the difference in one key", "missing"));
        }
        int limit = request.limit() == null ? PageParameters.DEFAULT_LIMIT : request.limit();
        int offset = request.offset() == null ? 0 : request.offset();
        return new ComparisonPageQuery(request.feedbackKey(), sort, Filter.parse(request.filter()),
                new PageParameters(limit, offset));
    }

    private boolean isUnscored() {
        return sort == Sort.EXAMPLE && filter == Filter.NONE;
    }

    String sql() {
        String rows = isUnscored() ? UNSCORED_ROWS
                : SCORED_ROWS.formatted(sort.sortExpression, filter == Filter.NONE ? "LEFT" : "", filter.condition);
        return rows + PAGE.formatted(page.limit(), page.offset());
    }

    Tuple values(ComparisonScopeService.ComparisonScope scope) {
        UUID[] ids = scope.ids();
        return isUnscored() ? Tuple.of(scope.tenantId(), ids)
                : Tuple.of(scope.tenantId(), ids, scope.baseline(), key, scope.directions().lowerIsBetter());
    }
}
