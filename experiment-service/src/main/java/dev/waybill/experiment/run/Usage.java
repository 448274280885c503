package dev.waybill.experiment.run;

import java.math.BigDecimal;
import java.util.function.BinaryOperator;

import org.jspecify.annotations.Nullable;

/** Tokens and costs of a run; null if unknown. */
record Usage(@Nullable Long promptTokens, @Nullable Long completionTokens, @Nullable Long totalTokens,
        @Nullable BigDecimal promptCost, @Nullable BigDecimal completionCost, @Nullable BigDecimal totalCost) {

    private static final BigDecimal MAX_COST = new BigDecimal("999999999.999999999");

    static final Usage UNKNOWN = new Usage(null, null, null, null, null, null);

    /** Returns the values of this usage, and the other's values that are missing here. */
    Usage merge(Usage other) {
        if (other == UNKNOWN) {
            return this;
        }
        return new Usage(first(promptTokens, other.promptTokens), first(completionTokens, other.completionTokens),
                first(totalTokens, other.totalTokens), first(promptCost, other.promptCost),
                first(completionCost, other.completionCost), first(totalCost, other.totalCost));
    }

    /** Returns the tokens of this usage, or the other's if this one has none; likewise for costs. */
    Usage orElse(Usage other) {
        if (other == UNKNOWN) {
            return this;
        }
        Usage tokens = hasTokens() ? this : other;
        Usage costs = hasCosts() ? this : other;
        return new Usage(tokens.promptTokens, tokens.completionTokens, tokens.totalTokens, costs.promptCost,
                costs.completionCost, costs.totalCost);
    }

    /** Returns this usage with missing totals calculated as sums. */
    Usage withTotals() {
        return this == UNKNOWN ? this
                : new Usage(promptTokens, completionTokens, total(totalTokens, promptTokens, completionTokens, Long::sum),
                        promptCost, completionCost,
                        total(totalCost, promptCost, completionCost, (one, other) -> one.add(other).min(MAX_COST)));
    }

    private boolean hasTokens() {
        return promptTokens != null || completionTokens != null || totalTokens != null;
    }

    private boolean hasCosts() {
        return promptCost != null || completionCost != null || totalCost != null;
    }

    private static <T> @Nullable T total(@Nullable T total, @Nullable T one, @Nullable T other, BinaryOperator<T> sum) {
        return total != null || one == null || other == null ? total : sum.apply(one, other);
    }

    private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
        return one != null ? one : other;
    }
}
