package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which conditions of one {@code and} speak of the same pair: of a family, those that say which key, together with those on
 * the value, where there are both. {@code neq(x_key, k)} is no such condition: it says that no pair has that key.
 *
 * @param alone the conditions that speak for themselves
 */
record Pairing(List<Filter> alone, List<Pair> pairs) {

    /**
     * Conditions on one pair, at least one of each.
     *
     * @param keys conditions on the key: comparisons, or alternatives of exact keys
     * @param values conditions on the value, however combined
     */
    record Pair(PairType family, List<Filter> keys, List<Filter> values) {
    }

    static Pairing of(Filter.And and) {
        List<Filter> alone = new ArrayList<>(and.conditions());
        List<Pair> pairs = new ArrayList<>();
        for (PairType family : PairType.values()) {
            List<Filter> keys = alone.stream().filter(condition -> saysWhichKey(condition, family)).toList();
            List<Filter> values = alone.stream().filter(condition -> isOnValue(condition, family)).toList();
            if (!keys.isEmpty() && !values.isEmpty()) {
                pairs.add(new Pair(family, keys, values));
                alone.removeIf(condition -> saysWhichKey(condition, family) || isOnValue(condition, family));
            }
        }
        return new Pairing(alone, pairs);
    }

    /** The keys of which the pair must have one, if the condition names them. */
    static Optional<List<String>> exactKeys(Filter condition, PairType family) {
        return switch (condition) {
            case Filter.Equal equal when equal.field().isKeyOf(family) -> Optional.of(List.of(equal.value().text()));
            case Filter.OneOf oneOf when oneOf.field().isKeyOf(family) -> Optional.of(
                    oneOf.values().stream().map(FilterValue::text).toList());
            case Filter.Or or -> anyOf(or, family);
            case Filter.And _ -> Optional.empty();
            case Filter.Not _ -> Optional.empty();
            case Filter.OnField _ -> Optional.empty();
            case Filter.OnRun _ -> Optional.empty();
        };
    }

    private static Optional<List<String>> anyOf(Filter.Or or, PairType family) {
        List<String> keys = new ArrayList<>();
        for (Filter alternative : or.conditions()) {
            Optional<List<String>> exact = exactKeys(alternative, family);
            if (exact.isEmpty()) {
                return Optional.empty();
            }
            keys.addAll(exact.get());
        }
        return Optional.of(keys);
    }

    private static boolean saysWhichKey(Filter condition, PairType family) {
        return switch (condition) {
            case Filter.Like like -> like.field().isKeyOf(family);
            case Filter.Compare compare -> compare.field().isKeyOf(family);
            case Filter.Equal _ -> exactKeys(condition, family).isPresent();
            case Filter.OneOf _ -> exactKeys(condition, family).isPresent();
            case Filter.Or _ -> exactKeys(condition, family).isPresent();
            case Filter.And _ -> false;
            case Filter.Not _ -> false;
            case Filter.Present _ -> false;
            case Filter.OnRun _ -> false;
        };
    }

    private static boolean isOnValue(Filter condition, PairType family) {
        return switch (condition) {
            case Filter.And and -> and.conditions().stream().allMatch(inner -> isOnValue(inner, family));
            case Filter.Or or -> or.conditions().stream().allMatch(inner -> isOnValue(inner, family));
            case Filter.Not not -> isOnValue(not.condition(), family);
            case Filter.OnField onField -> onField.field().isValueOf(family);
            case Filter.OnRun _ -> false;
        };
    }
}
