package dev.waybill.common.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Groups the conditions of one {@code and} that apply to the same pair: conditions on the key of a pair type with those on its
 * value, if both exist. {@code neq(x_key, k)} is not grouped, because it requires that no pair has that key.
 *
 * @param alone conditions that are not grouped
 */
record Pairing(List<Filter> alone, List<Pair> pairs) {

    /**
     * Conditions on one pair, at least one of each kind.
     *
     * @param keys conditions on the key: comparisons, or alternatives of exact keys
     * @param values conditions on the value, combined in any way
     */
    record Pair(PairType pairType, List<Filter> keys, List<Filter> values) {
    }

    static Pairing of(Filter.And and) {
        List<Filter> alone = new ArrayList<>(and.conditions());
        List<Pair> pairs = new ArrayList<>();
        for (PairType pairType : PairType.values()) {
            List<Filter> keys = alone.stream().filter(condition -> restrictsKey(condition, pairType)).toList();
            List<Filter> values = alone.stream().filter(condition -> isOnValue(condition, pairType)).toList();
            if (!keys.isEmpty() && !values.isEmpty()) {
                pairs.add(new Pair(pairType, keys, values));
                alone.removeIf(condition -> restrictsKey(condition, pairType) || isOnValue(condition, pairType));
            }
        }
        return new Pairing(alone, pairs);
    }

    /** Returns the keys of which the pair must have one; empty if the condition does not specify them. */
    static Optional<List<String>> exactKeys(Filter condition, PairType pairType) {
        return switch (condition) {
            case Filter.Equal equal when equal.field().isKeyOf(pairType) -> Optional.of(List.of(equal.value().text()));
            case Filter.OneOf oneOf when oneOf.field().isKeyOf(pairType) -> Optional.of(
                    oneOf.values().stream().map(FilterValue::text).toList());
            case Filter.Or or -> anyOf(or, pairType);
            case Filter.And _ -> Optional.empty();
            case Filter.Not _ -> Optional.empty();
            case Filter.OnField _ -> Optional.empty();
            case Filter.OnRun _ -> Optional.empty();
        };
    }

    private static Optional<List<String>> anyOf(Filter.Or or, PairType pairType) {
        List<String> keys = new ArrayList<>();
        for (Filter alternative : or.conditions()) {
            Optional<List<String>> exact = exactKeys(alternative, pairType);
            if (exact.isEmpty()) {
                return Optional.empty();
            }
            keys.addAll(exact.get());
        }
        return Optional.of(keys);
    }

    private static boolean restrictsKey(Filter condition, PairType pairType) {
        return switch (condition) {
            case Filter.Like like -> like.field().isKeyOf(pairType);
            case Filter.Compare compare -> compare.field().isKeyOf(pairType);
            case Filter.Equal _ -> exactKeys(condition, pairType).isPresent();
            case Filter.OneOf _ -> exactKeys(condition, pairType).isPresent();
            case Filter.Or _ -> exactKeys(condition, pairType).isPresent();
            case Filter.And _ -> false;
            case Filter.Not _ -> false;
            case Filter.Present _ -> false;
            case Filter.OnRun _ -> false;
        };
    }

    private static boolean isOnValue(Filter condition, PairType pairType) {
        return switch (condition) {
            case Filter.And and -> and.conditions().stream().allMatch(inner -> isOnValue(inner, pairType));
            case Filter.Or or -> or.conditions().stream().allMatch(inner -> isOnValue(inner, pairType));
            case Filter.Not not -> isOnValue(not.condition(), pairType);
            case Filter.OnField onField -> onField.field().isValueOf(pairType);
            case Filter.OnRun _ -> false;
        };
    }
}
