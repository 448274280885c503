package dev.waybill.common.filter;

import java.util.List;

/**
 * What a filter asks of a run (contract.md "Bulk export", Filter). Logic is two-valued: a comparison with what is absent is
 * false
 * and {@link Not} is plain negation, so {@code neq} is the negation of {@code eq}, and comparing with null is
 * {@link Present} or its negation.
 */
public sealed interface Filter {

    /** Every condition holds; of one family of pairs, those that name a key and those on its value hold of the same pair. */
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

    /** A condition that stands for itself, whatever is beside it. */
    sealed interface OnRun extends Filter {
    }

    /** A condition on one field. */
    sealed interface OnField extends Filter {

        FilterField field();
    }

    /** The field has this value; values of different types are never equal. */
    record Equal(FilterField field, FilterValue value) implements OnField {
    }

    /** The field's value comes before or after this one; texts are ordered by their characters' code points. */
    record Compare(FilterField field, Comparison comparison, FilterValue value) implements OnField {
    }

    /**
     * The field's text has this form.
     *
     * @param pattern {@code %} stands for any characters, {@code _} for one, a backslash makes the next one plain
     */
    record Like(FilterField field, String pattern, boolean ignoreCase) implements OnField {
    }

    /** The field has one of these values; none when there are none. */
    record OneOf(FilterField field, List<FilterValue> values) implements OnField {

        public OneOf {
            values = List.copyOf(values);
        }
    }

    /** The run has this tag. */
    record Tagged(String tag) implements OnRun {
    }

    /** Each word stands somewhere in name, error, inputs, outputs or tags, in any case. */
    record Search(List<String> words) implements OnRun {

        public Search {
            words = List.copyOf(words);
        }
    }

    /** The field has a value. */
    record Present(FilterField field) implements OnField {
    }

    /** A pair of the family has this key. */
    record HasKey(PairType family, String key) implements OnRun {
    }

    /** Where a value stands to another. */
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
