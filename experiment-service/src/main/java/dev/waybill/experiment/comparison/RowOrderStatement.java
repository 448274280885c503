package dev.waybill.experiment.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.ExperimentRange;
import dev.waybill.common.page.PageParameters;
import dev.waybill.experiment.comparison.ComparisonScopeService.ComparisonScope;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Builds the statement for the ids of the selected rows in their order: its text and its parameters. The scores of an example
 * become columns of one row: {@code s1} for the first experiment, {@code d1} for its difference from the baseline, and so on.
 */
final class RowOrderStatement {

    private static final String ALL_ROWS = """
            , wanted AS (SELECT DISTINCT example_id, 0 AS sort_value FROM r)
            """;
    private static final String MARKS = """
            , p AS (SELECT r.example_id, {key} AS key, {scores} FROM r JOIN f ON f.run_id = r.id GROUP BY {group})
            , d AS (SELECT *, {differences} FROM p)
            , k AS (SELECT example_id, key, {missing} AS missing, least({compared}) AS lowest, greatest({compared}) AS highest,
                {in_ranges} AS in_ranges FROM d)
            , marks AS (
                SELECT example_id, lowest, highest, missing, in_ranges, lowest IS NOT NULL AS paired,
                    coalesce(CASE WHEN key = ANY({lower_is_better}) THEN lowest < 0 ELSE highest > 0 END, false) AS better,
                    coalesce(CASE WHEN key = ANY({lower_is_better}) THEN highest > 0 ELSE lowest < 0 END, false) AS worse
                FROM k)
            """;
    private static final String MARKS_OF_ONE_KEY = """
            , m AS (SELECT *, paired AND NOT better AND NOT worse AS same FROM marks)
            """;
    private static final String MARKS_OF_ALL_KEYS = """
            , m AS (
                SELECT example_id, min(lowest) AS lowest, max(highest) AS highest, bool_or(missing) AS missing,
                    bool_or(in_ranges) AS in_ranges, bool_or(better) AS better, bool_or(worse) AS worse,
                    bool_or(paired) AND NOT bool_or(better) AND NOT bool_or(worse) AS same
                FROM marks GROUP BY example_id)
            """;
    private static final String SORTED_ROWS = """
            , wanted AS (
                SELECT example_id, %s AS sort_value FROM (SELECT DISTINCT example_id FROM r) e LEFT JOIN m USING (example_id))
            """;
    private static final String FILTERED_ROWS = """
            , wanted AS (SELECT example_id, %s AS sort_value FROM m WHERE %s AND in_ranges)
            """;
    private static final String WINDOW = """
            SELECT (SELECT count(*) FROM wanted) AS total,
                (SELECT string_agg(uuid_send(example_id), ''::bytea ORDER BY sort_value NULLS LAST, example_id)
                FROM (SELECT example_id, sort_value FROM wanted ORDER BY sort_value NULLS LAST, example_id
                    LIMIT %s OFFSET %s) w) AS ids
            """;

    private final ComparisonScope scope;
    private final RowSelection selection;
    private final Tuple values = Tuple.tuple();
    private final String sql;

    /** @param first position of the first id to return, a multiple of {@link RowOrder#WINDOW} */
    RowOrderStatement(ComparisonScope scope, RowSelection selection, int first) {
        this.scope = scope;
        this.selection = selection;
        values.addUUID(scope.tenantId()).addArrayOfUUID(scope.ids());
        this.sql = (selection.ignoresScores() ? ScoreSql.runs() + ALL_ROWS : scoredRows())
                // Pages that begin in this window end in it.
                + WINDOW.formatted(RowOrder.WINDOW + PageParameters.MAX_LIMIT, first);
    }

    String sql() {
        return sql;
    }

    Tuple values() {
        return values;
    }

    private String scoredRows() {
        String key = selection.key();
        String keyValue = key == null ? "f.key" : placeholder(values.addString(key), "text");
        String marks = ScoreSql.feedback(key == null ? "" : " AND key = " + keyValue) + MARKS
                .replace("{key}", keyValue)
                .replace("{group}", key == null ? "r.example_id, f.key" : "r.example_id")
                .replace("{lower_is_better}",
                        placeholder(values.addArrayOfString(scope.directions().lowerIsBetter()), "text[]"))
                .replace("{scores}",
                        join(experiments(),
                                i -> "avg(f.score) FILTER (WHERE r.session_id = ($2::uuid[])[" + i + "]) AS s" + i))
                .replace("{differences}", join(experiments(), i -> difference(i) + " AS d" + i))
                .replace("{missing}", missing())
                .replace("{compared}", join(compared(), i -> "d" + i))
                .replace("{in_ranges}", inRanges())
                + (key == null ? MARKS_OF_ALL_KEYS : MARKS_OF_ONE_KEY);
        String sort = selection.sort().expression();
        return marks + (selection.includesUnscored() ? SORTED_ROWS.formatted(sort)
                : FILTERED_ROWS.formatted(sort, selection.filter().condition()));
    }

    private String difference(int experiment) {
        int baseline = position(scope.baseline());
        return experiment == baseline ? "NULL::float8" : ScoreSql.difference("s" + experiment, "s" + baseline);
    }

    private String missing() {
        UUID experiment = selection.experiment();
        return experiment == null
                ? "num_nulls(" + join(experiments(), i -> "s" + i) + ") > 0"
                : "(s" + position(experiment) + " IS NULL) <> (s" + position(scope.baseline()) + " IS NULL)";
    }

    private String inRanges() {
        List<String> conditions = new ArrayList<>();
        selection.scoreRanges().forEach(range -> add("s", range, conditions));
        selection.differenceRanges().forEach(range -> add("d", range, conditions));
        return conditions.isEmpty() ? "true" : "coalesce(" + String.join(" AND ", conditions) + ", false)";
    }

    private void add(String column, ExperimentRange range, List<String> conditions) {
        String name = column + position(range.experimentId());
        add(name + " > ", range.gt(), conditions);
        add(name + " >= ", range.gte(), conditions);
        add(name + " < ", range.lt(), conditions);
        add(name + " <= ", range.lte(), conditions);
    }

    private void add(String comparison, @Nullable Double bound, List<String> conditions) {
        if (bound != null) {
            conditions.add(comparison + placeholder(values.addDouble(bound), "float8"));
        }
    }

    private List<Integer> experiments() {
        return IntStream.rangeClosed(1, scope.experiments().size()).boxed().toList();
    }

    private List<Integer> compared() {
        return selection.experiment() == null ? experiments() : List.of(position(selection.experiment()));
    }

    /** Returns the position of an experiment of the scope, which counts from 1 as arrays of SQL do. */
    private int position(@Nullable UUID experiment) {
        return List.of(scope.ids()).indexOf(Objects.requireNonNull(experiment)) + 1;
    }

    private static String join(List<Integer> positions, IntFunction<String> text) {
        return positions.stream().map(text::apply).collect(Collectors.joining(", "));
    }

    private static String placeholder(Tuple values, String type) {
        return "$" + values.size() + "::" + type;
    }
}
