package dev.waybill.common.lake;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/** A condition on the texts of a run that all runs satisfy that a query searches; other runs may satisfy it too. */
public sealed interface TextCondition {

    /** The condition that every run satisfies. */
    TextCondition ANY = new All(List.of());

    /** Returns whether a run whose grams satisfy {@code grams} may satisfy the condition. */
    boolean mayMatch(IntPredicate grams);

    /** Returns the number of grams, which determines the memory of the condition. */
    int size();

    /** Returns the condition that a text of the run contains {@code text}, ignoring case. */
    static TextCondition contains(String text) {
        List<Integer> grams = Arrays.stream(GramSet.ofContained(text).hashes()).boxed().toList();
        return grams.isEmpty() ? ANY : new Contains(grams);
    }

    /** Returns the condition that all conditions hold. */
    static TextCondition all(List<TextCondition> conditions) {
        List<TextCondition> effective = conditions.stream().filter(condition -> !condition.equals(ANY)).distinct().toList();
        return effective.size() == 1 ? effective.getFirst() : new All(effective);
    }

    /** Returns the condition that at least one condition holds; without conditions, {@link #ANY}. */
    static TextCondition some(List<TextCondition> conditions) {
        List<TextCondition> different = conditions.stream().distinct().toList();
        return different.isEmpty() || different.contains(ANY) ? ANY
                : different.size() == 1 ? different.getFirst() : new Some(different);
    }

    /** A text of the run has all grams. */
    record Contains(List<Integer> grams) implements TextCondition {

        public Contains {
            grams = List.copyOf(grams);
        }

        @Override
        public boolean mayMatch(IntPredicate present) {
            return grams.stream().allMatch(present::test);
        }

        @Override
        public int size() {
            return grams.size();
        }
    }

    /** All conditions hold. */
    record All(List<TextCondition> conditions) implements TextCondition {

        public All {
            conditions = List.copyOf(conditions);
        }

        @Override
        public boolean mayMatch(IntPredicate grams) {
            return conditions.stream().allMatch(condition -> condition.mayMatch(grams));
        }

        @Override
        public int size() {
            return conditions.stream().mapToInt(TextCondition::size).sum();
        }
    }

    /** At least one condition holds. */
    record Some(List<TextCondition> conditions) implements TextCondition {

        public Some {
            conditions = List.copyOf(conditions);
        }

        @Override
        public boolean mayMatch(IntPredicate grams) {
            return conditions.stream().anyMatch(condition -> condition.mayMatch(grams));
        }

        @Override
        public int size() {
            return conditions.stream().mapToInt(TextCondition::size).sum();
        }
    }
}
