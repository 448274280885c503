package dev.waybill.common.filter;

import java.util.List;

/**
 * A condition on a run (docs/filters.md). The logic is two-valued: a comparison with an absent value is false and {@link Not}
 * is plain negation, so {@code neq} is the negation of {@code eq}, and comparing with null is {@link Present} or its negation.
 */
public sealed interface Filter {

    /** Every condition holds. Conditions on keys and values of the same pair type must hold for the same pair. */
    record And(List<Filter> conditions) implements Filter {

        public And {
            conditions = List.copyOf(conditions);
        }
    }

    /** At least one condition holds. */
    record Or(List<Filter> conditions) implements Filter {

        public Or {
            conditions = List.copyOf(conditions);
        }
    }

    /** The condition does not hold. */
    record Not(Filter condition) implements Filter {
    }

    /** A condition that is independent of others. */
    sealed interface OnRun extends Filter {
    }

    /** A condition on one field. */
    sealed interface OnField extends Filter {

        FilterField field();
    }

    /** The field has this value; values of different types are never equal. */
    record Equal(FilterField field, FilterValue value) implements OnField {
    }

    /** The field's value is less or greater than this one; texts are ordered by code points. */
    record Compare(FilterField field, Comparison comparison, FilterValue value) implements OnField {
    }

    /**
     * The field's text matches a pattern.
     *
     * @param pattern {@code %} matches any characters, {@code _} one character; a backslash escapes the next character
     */
    record Like(FilterField field, String pattern, boolean ignoreCase) implements OnField {
    }

    /** The field has one of these values; an empty list matches nothing. */
    record OneOf(FilterField field, List<FilterValue> values) implements OnField {

        public OneOf {
            values = List.copyOf(values);
        }
    }

    /** The run has this tag. */
    record Tagged(String tag) implements OnRun {
    }

    /** Each word occurs in name, error, inputs, outputs or tags, ignoring case. */
    record Search(List<String> words) implements OnRun {

        public Search {
            words = List.copyOf(words);
        }
    }

    /** The field has a value. */
    record Present(FilterField field) implements OnField {
    }

    /** The run has a pair with this key. */
    record HasKey(PairType pairType, String key) implements OnRun {
    }

    /** An order comparison of two values. */
    enum Comparison {
        GREATER(">"),
        GREATER_OR_EQUAL(">="),
        LESS("<"),
        LESS_OR_EQUAL("<=");

        private final String operator;

        Comparison(String operator) {
            this.operator = operator;
        }

        String operator() {
            return operator;
        }
    }
}
