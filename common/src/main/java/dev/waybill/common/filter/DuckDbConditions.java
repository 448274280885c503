package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.waybill.common.filter.DuckDbCondition.Bound;

/** Translates filters to conditions of DuckDB on the columns of the files; the counterpart of {@link RunConditions}. */
final class DuckDbConditions {

    private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000);

    // Seconds beyond those of 64-bit microseconds.
    private static final double MAX_LATENCY = 1e13;

    private final boolean hasLatency;

    /** @param hasLatency whether the files have the column {@code latency} */
    DuckDbConditions(boolean hasLatency) {
        this.hasLatency = hasLatency;
    }

    DuckDbCondition of(Filter filter, Bound bound) {
        return switch (filter) {
            case Filter.And and -> and(Pairing.of(and), bound);
            case Filter.Or or -> DuckDbCondition.or(or.conditions().stream().map(condition -> of(condition, bound)).toList());
            case Filter.Not not -> of(not.condition(), bound.opposite()).negated();
            case Filter.OnField onField -> onField(onField, bound);
            case Filter.Tagged tagged -> DuckDbCondition.exact("list_contains(tags, ?)", tagged.tag())
                    .requiring(tagged.tag());
            case Filter.Search search -> bound.of(search(search.words()));
            case Filter.HasKey hasKey -> bound.of(new DuckDbDocument(hasKey.pairType()).hasKey(List.of(hasKey.key())));
        };
    }

    private DuckDbCondition and(Pairing pairing, Bound bound) {
        List<DuckDbCondition> conditions = new ArrayList<>();
        pairing.alone().forEach(condition -> conditions.add(of(condition, bound)));
        pairing.pairs().forEach(pair -> conditions.add(bound.of(new DuckDbDocument(pair.pairType()).pair(pair))));
        return DuckDbCondition.and(conditions);
    }

    private DuckDbCondition onField(Filter.OnField condition, Bound bound) {
        FilterField field = condition.field();
        Optional<DuckDbCondition> onDocument = field.pairType()
                .map(pairType -> bound.of(new DuckDbDocument(pairType).keyOrValue(condition)));
        return onDocument.orElseGet(() -> onColumn(condition, bound));
    }

    private DuckDbCondition onColumn(Filter.OnField condition, Bound bound) {
        FilterField field = condition.field();
        return switch (condition) {
            case Filter.Present _ -> present(field);
            case Filter.Equal equal -> equal(field, equal.value());
            case Filter.OneOf oneOf -> DuckDbCondition.or(oneOf.values().stream()
                    .map(value -> equal(field, value)).toList());
            case Filter.Compare compare -> compare(field, compare.comparison(), compare.value());
            // Case mapping depends on the collation of the database.
            case Filter.Like like -> requiringParts(like, like.ignoreCase()
                    ? bound.of(DuckDbCondition.approximate("lower(" + field.wireName() + ") LIKE lower(?) ESCAPE '\\'",
                            LowerCase.pattern(like.pattern())))
                    : DuckDbCondition.exact(field.wireName() + " LIKE ? ESCAPE '\\'", like.pattern()));
        };
    }

    private static DuckDbCondition requiringParts(Filter.Like like, DuckDbCondition condition) {
        DuckDbCondition requiring = condition;
        if (isIndexed(like.field())) {
            for (String part : DuckDbDocument.WILDCARD.split(like.pattern())) {
                requiring = requiring.requiring(part);
            }
        }
        return requiring;
    }

    private static DuckDbCondition present(FilterField field) {
        return DuckDbCondition.exact(switch (field) {
            case TAGS -> "len(tags) > 0";
            case IS_ROOT -> "TRUE";
            case LATENCY -> "end_time IS NOT NULL";
            default -> field.wireName() + " IS NOT NULL";
        });
    }

    private DuckDbCondition equal(FilterField field, FilterValue value) {
        return switch (value) {
            case FilterValue.Text text -> equal(field, text.value());
            case FilterValue.Id id -> DuckDbCondition.exact(field.wireName() + " = ?", id.text());
            case FilterValue.Time time -> DuckDbCondition.exact(field.wireName() + " = ?", time.bindable());
            case FilterValue.Flag flag -> DuckDbCondition
                    .exact(flag.value() ? "parent_run_id IS NULL" : "parent_run_id IS NOT NULL");
            case FilterValue.Number number ->
                skipping(field, "latency BETWEEN ? AND ?", List.of(below(number), above(number)),
                        column(field).equal(scaled(field, number.value())));
        };
    }

    private static DuckDbCondition equal(FilterField field, String text) {
        DuckDbCondition condition = DuckDbCondition.exact(field.wireName() + " = ?", text);
        return isIndexed(field) ? condition.requiring(text) : condition;
    }

    private static boolean isIndexed(FilterField field) {
        return field == FilterField.NAME || field == FilterField.ERROR;
    }

    private DuckDbCondition compare(FilterField field, Filter.Comparison comparison, FilterValue value) {
        return switch (value) {
            case FilterValue.Number number ->
                skipping(field, isLower(comparison) ? "latency >= ?" : "latency <= ?",
                        List.of(isLower(comparison) ? below(number) : above(number)),
                        column(field).compare(comparison, scaled(field, number.value())));
            case FilterValue.Time time ->
                DuckDbCondition.exact(field.wireName() + " " + comparison.operator() + " ?", time.bindable());
            case FilterValue.Text text ->
                DuckDbCondition.exact(field.wireName() + " " + comparison.operator() + " ?", text.value());
            case FilterValue.Id _ -> throw new IllegalArgumentException("ids have no order");
            case FilterValue.Flag _ -> throw new IllegalArgumentException("flags have no order");
        };
    }

    /** Adds a condition on the rounded latency, which is true for all of these runs and lets DuckDB skip row groups. */
    private DuckDbCondition skipping(FilterField field, String latency, List<Double> limits, DuckDbCondition condition) {
        return field == FilterField.LATENCY && hasLatency
                ? DuckDbCondition.and(List.of(DuckDbCondition.exact(latency, limits.toArray()), condition))
                : condition;
    }

    private static boolean isLower(Filter.Comparison comparison) {
        return comparison == Filter.Comparison.GREATER || comparison == Filter.Comparison.GREATER_OR_EQUAL;
    }

    private static double below(FilterValue.Number seconds) {
        return limit(seconds, -1);
    }

    private static double above(FilterValue.Number seconds) {
        return limit(seconds, 1);
    }

    // The tolerance is larger than the rounding of both the limit and the latency.
    private static double limit(FilterValue.Number seconds, int direction) {
        double limit = Math.clamp(seconds.value().doubleValue(), -MAX_LATENCY, MAX_LATENCY);
        return limit + direction * Math.max(2e-6, Math.abs(limit) * 1e-12);
    }

    private static DecimalColumn column(FilterField field) {
        return switch (field) {
            case LATENCY -> DecimalColumn.ofLong("(epoch_us(end_time) - epoch_us(start_time))");
            case PROMPT_COST, COMPLETION_COST, TOTAL_COST -> DecimalColumn.ofCost(field.wireName());
            default -> DecimalColumn.ofLong(field.wireName());
        };
    }

    private static BigDecimal scaled(FilterField field, BigDecimal number) {
        return field == FilterField.LATENCY ? number.multiply(MICROS) : number;
    }

    private static DuckDbCondition search(List<String> words) {
        return DuckDbCondition.and(words.stream().map(DuckDbConditions::contains).toList());
    }

    // The columns are ordered by their size. No word contains white space, so none extends over two columns.
    private static DuckDbCondition contains(String word) {
        return DuckDbCondition.or(Stream.concat(
                Stream.of("name", "error", "array_to_string(tags, chr(10))")
                        .map(text -> containsText(text, word)),
                Stream.of(PairType.INPUT, PairType.OUTPUT)
                        .map(pairType -> new DuckDbDocument(pairType).containsText(word, true)))
                .toList());
    }

    private static DuckDbCondition containsText(String column, String word) {
        List<DuckDbCondition> parts = LowerCase.parts(word).stream()
                .map(part -> DuckDbCondition.approximate("contains(lower(" + column + "), lower(?))", part)
                        .requiring(part))
                .toList();
        return parts.isEmpty() ? DuckDbCondition.approximate(column + " IS NOT NULL") : DuckDbCondition.and(parts);
    }
}
