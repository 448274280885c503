package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.waybill.common.lake.TextCondition;

/**
 * A condition on a Parquet file of runs for DuckDB (docs/lake-queries.md). Every run that matches the filter satisfies it;
 * unless it is exact, other runs may satisfy it too, so the caller evaluates the filter on the runs that it finds.
 *
 * @param sql the condition with a {@code ?} for every value; null has the meaning of false
 * @param values the values to bind
 * @param isExact whether only runs that match the filter satisfy the condition
 * @param texts a condition on the texts of a run that all runs that match the filter satisfy, for text indexes
 */
public record DuckDbCondition(String sql, List<Object> values, boolean isExact, TextCondition texts) {

    static final DuckDbCondition TRUE = new DuckDbCondition("TRUE", List.of(), false);
    static final DuckDbCondition FALSE = new DuckDbCondition("FALSE", List.of(), false);

    public DuckDbCondition {
        values = List.copyOf(values);
    }

    private DuckDbCondition(String sql, List<Object> values, boolean isExact) {
        this(sql, values, isExact, TextCondition.ANY);
    }

    /** Returns this condition of a filter that only runs match in whose indexed texts {@code text} occurs, ignoring case. */
    DuckDbCondition requiring(String text) {
        return new DuckDbCondition(sql, values, isExact, TextCondition.all(List.of(texts, TextCondition.contains(text))));
    }

    /**
     * Returns a condition that all runs that match the filters satisfy; empty if the files lack a field of a filter, or if the
     * condition would be true for every run.
     *
     * @param hasLatency whether the files have the column {@code latency}
     */
    public static Optional<DuckDbCondition> of(List<Filter> filters, boolean hasLatency) {
        if (!filters.stream().allMatch(DuckDbCondition::isSupported)) {
            return Optional.empty();
        }
        DuckDbConditions conditions = new DuckDbConditions(hasLatency);
        DuckDbCondition condition = and(filters.stream().map(filter -> conditions.of(filter, Bound.UPPER)).toList());
        return condition.isTrue() ? Optional.empty() : Optional.of(condition);
    }

    // Feedback changes without its run, and the other fields are not in the files.
    private static boolean isSupported(Filter filter) {
        return switch (filter) {
            case Filter.And and -> and.conditions().stream().allMatch(DuckDbCondition::isSupported);
            case Filter.Or or -> or.conditions().stream().allMatch(DuckDbCondition::isSupported);
            case Filter.Not not -> isSupported(not.condition());
            case Filter.OnField onField -> onField.field() != FilterField.SESSION_NAME
                    && onField.field() != FilterField.APP_PATH && !isFeedback(onField.field().pairType());
            case Filter.HasKey hasKey -> !isFeedback(Optional.of(hasKey.pairType()));
            case Filter.Tagged _ -> true;
            case Filter.Search _ -> true;
        };
    }

    private static boolean isFeedback(Optional<PairType> pairType) {
        return pairType.equals(Optional.of(PairType.FEEDBACK));
    }

    static DuckDbCondition exact(String sql, Object... values) {
        return new DuckDbCondition("(" + sql + ")", List.of(values), true);
    }

    static DuckDbCondition never() {
        return new DuckDbCondition("FALSE", List.of(), true);
    }

    static DuckDbCondition approximate(String sql, Object... values) {
        return new DuckDbCondition("(" + sql + ")", List.of(values), false);
    }

    static DuckDbCondition and(List<DuckDbCondition> conditions) {
        boolean isExact = conditions.stream().allMatch(DuckDbCondition::isExact);
        if (conditions.stream().anyMatch(DuckDbCondition::isFalse)) {
            return constant("FALSE", isExact);
        }
        List<DuckDbCondition> effective = conditions.stream().filter(condition -> !condition.isTrue()).toList();
        return effective.isEmpty() ? constant("TRUE", isExact) : joined(effective, " AND ", isExact, TextCondition::all);
    }

    static DuckDbCondition or(List<DuckDbCondition> conditions) {
        boolean isExact = conditions.stream().allMatch(DuckDbCondition::isExact);
        if (conditions.stream().anyMatch(DuckDbCondition::isTrue)) {
            return constant("TRUE", isExact);
        }
        List<DuckDbCondition> effective = conditions.stream().filter(condition -> !condition.isFalse()).toList();
        return effective.isEmpty() ? constant("FALSE", isExact) : joined(effective, " OR ", isExact, TextCondition::some);
    }

    DuckDbCondition negated() {
        if (isTrue() || isFalse()) {
            return constant(isTrue() ? "FALSE" : "TRUE", isExact);
        }
        // Only here, because DuckDB does not skip row groups by the arguments of a function.
        return new DuckDbCondition("NOT coalesce(" + sql + ", FALSE)", values, isExact);
    }

    boolean isTrue() {
        return sql.equals("TRUE");
    }

    boolean isFalse() {
        return sql.equals("FALSE");
    }

    private static DuckDbCondition constant(String sql, boolean isExact) {
        return new DuckDbCondition(sql, List.of(), isExact);
    }

    private static DuckDbCondition joined(List<DuckDbCondition> conditions, String operator, boolean isExact,
            Function<List<TextCondition>, TextCondition> texts) {
        List<Object> values = new ArrayList<>();
        conditions.forEach(condition -> values.addAll(condition.values()));
        return new DuckDbCondition(
                conditions.stream().map(DuckDbCondition::sql).collect(Collectors.joining(operator, "(", ")")),
                values, isExact, texts.apply(conditions.stream().map(DuckDbCondition::texts).toList()));
    }

    /** Which runs a condition that is not exact may treat differently from its filter. */
    enum Bound {
        /** All runs that match the filter satisfy the condition. */
        UPPER,
        /** All runs that satisfy the condition match the filter. */
        LOWER;

        Bound opposite() {
            return this == UPPER ? LOWER : UPPER;
        }

        /** Returns {@code condition}, which all matching runs satisfy, or the only lower bound that is always right. */
        DuckDbCondition of(DuckDbCondition condition) {
            return condition.isExact() || this == UPPER ? condition : FALSE;
        }
    }
}
