package dev.waybill.experiment.comparison;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.page.Page;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Which rows of a comparison are asked for.
 *
 * @param key what sort and filter speak of; null: any
 */
record ComparisonPageQuery(@Nullable String key, Sort sort, Filter filter, Page page) {

    // Only where a row's scores matter are they looked at.
    private static final String ALL = ScoreSql.runs() + """
            , wanted AS (SELECT DISTINCT example_id, 0 AS place FROM r)
            """;
    private static final String MARKED = ScoreSql.differences(" AND ($4::text IS NULL OR key = $4)") + """
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
                SELECT example_id, %s AS place FROM (SELECT DISTINCT example_id FROM r) e %s JOIN marks m USING (example_id) %s)
            """;
    private static final String PAGE = """
            SELECT (SELECT count(*) FROM wanted) AS total,
                ARRAY(SELECT example_id FROM wanted ORDER BY place NULLS LAST, example_id LIMIT %d OFFSET %d) AS ids
            """;

    /** What the rows are ordered by; ties by example. */
    enum Sort {
        EXAMPLE("0"),
        DIFFERENCE("lowest"),
        FALLING_DIFFERENCE("-highest");

        private final String place;

        Sort(String place) {
            this.place = place;
        }

        static Sort parse(@Nullable String text) {
            return switch (text) {
                case "difference" -> DIFFERENCE;
                case "-difference" -> FALLING_DIFFERENCE;
                case null, default -> EXAMPLE;
            };
        }
    }

    /** Which rows there are. */
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

    /** 422 when it sorts by a difference without saying in what. */
    static ComparisonPageQuery of(CompareExperimentsRequest request) {
        Sort sort = Sort.parse(request.sort());
        if (sort != Sort.EXAMPLE && request.feedbackKey() == null) {
            throw ProblemException.invalid(Violation.of("feedback_key",
                    "must be given to sort by a difference: rows are sorted by the difference in one key", "missing"));
        }
        int limit = request.limit() == null ? Page.DEFAULT_LIMIT : request.limit();
        int offset = request.offset() == null ? 0 : request.offset();
        return new ComparisonPageQuery(request.feedbackKey(), sort, Filter.parse(request.filter()), new Page(limit, offset));
    }

    private boolean isPlain() {
        return sort == Sort.EXAMPLE && filter == Filter.NONE;
    }

    String sql() {
        String rows = isPlain() ? ALL
                : MARKED.formatted(sort.place, filter == Filter.NONE ? "LEFT" : "", filter.condition);
        return rows + PAGE.formatted(page.limit(), page.offset());
    }

    Tuple values(ComparisonScope scope) {
        UUID[] ids = scope.ids();
        return isPlain() ? Tuple.of(scope.tenantId(), ids)
                : Tuple.of(scope.tenantId(), ids, scope.baseline(), key, scope.directions().lowerIsBetter());
    }
}
