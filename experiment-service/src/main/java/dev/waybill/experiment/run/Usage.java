package dev.waybill.experiment.run;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

/** Tokens and costs; what is not known is null. */
record Usage(@Nullable Long promptTokens, @Nullable Long completionTokens, @Nullable Long totalTokens,
        @Nullable BigDecimal promptCost, @Nullable BigDecimal completionCost, @Nullable BigDecimal totalCost) {

    static final Usage UNKNOWN = new Usage(null, null, null, null, null, null);

    /** What is known here, else what {@code other} knows. */
    Usage or(Usage other) {
        if (other == UNKNOWN) {
            return this;
        }
        return new Usage(first(promptTokens, other.promptTokens), first(completionTokens, other.completionTokens),
                first(totalTokens, other.totalTokens), first(promptCost, other.promptCost),
                first(completionCost, other.completionCost), first(totalCost, other.totalCost));
    }

    private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
        return one != null ? one : other;
    }
}
