package dev.waybill.experiment.run;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.function.BinaryOperator;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.json.JsonInput;
import dev.waybill.experiment.json.JsonMembers;

/** Tokens and costs of a run; null if unknown. */
final class TokenUsage {

    /** Never modified. */
    static final TokenUsage UNKNOWN = new TokenUsage();
    private static final BigDecimal MAX_COST = new BigDecimal("999999999.999999999");
    // Usage in outputs and metadata is user data: values of other types are ignored.
    private static final JsonMembers<TokenUsage> LENIENT = JsonMembers.<TokenUsage> table()
            .member("input_tokens", (usage, in) -> usage.promptTokens = in.countOrNull())
            .member("output_tokens", (usage, in) -> usage.completionTokens = in.countOrNull())
            .member("total_tokens", (usage, in) -> usage.totalTokens = in.countOrNull())
            .member("input_cost", (usage, in) -> usage.promptCost = in.costOrNull())
            .member("output_cost", (usage, in) -> usage.completionCost = in.costOrNull())
            .member("total_cost", (usage, in) -> usage.totalCost = in.costOrNull())
            .build();

    @Nullable
    Long promptTokens;
    @Nullable
    Long completionTokens;
    @Nullable
    Long totalTokens;
    @Nullable
    BigDecimal promptCost;
    @Nullable
    BigDecimal completionCost;
    @Nullable
    BigDecimal totalCost;

    /** Reads the {@code usage_metadata} object at the input's position. */
    static TokenUsage readLeniently(JsonInput in) throws IOException {
        TokenUsage usage = new TokenUsage();
        LENIENT.read(usage, in);
        return usage;
    }

    /** Returns the values of this usage, and the other's values that are missing here. */
    TokenUsage merge(TokenUsage other) {
        if (other == UNKNOWN) {
            return this;
        }
        TokenUsage merged = new TokenUsage();
        merged.setTokens(first(promptTokens, other.promptTokens), first(completionTokens, other.completionTokens),
                first(totalTokens, other.totalTokens));
        merged.setCosts(first(promptCost, other.promptCost), first(completionCost, other.completionCost),
                first(totalCost, other.totalCost));
        return merged;
    }

    /** Returns the tokens of this usage, or the other's if this one has none; likewise for costs. */
    TokenUsage orElse(TokenUsage other) {
        if (other == UNKNOWN) {
            return this;
        }
        TokenUsage tokens = hasTokens() ? this : other;
        TokenUsage costs = hasCosts() ? this : other;
        TokenUsage result = new TokenUsage();
        result.setTokens(tokens.promptTokens, tokens.completionTokens, tokens.totalTokens);
        result.setCosts(costs.promptCost, costs.completionCost, costs.totalCost);
        return result;
    }

    /** Returns this usage with missing totals calculated as sums. */
    TokenUsage withTotals() {
        if (this == UNKNOWN) {
            return this;
        }
        TokenUsage result = new TokenUsage();
        result.setTokens(promptTokens, completionTokens, total(totalTokens, promptTokens, completionTokens, Long::sum));
        result.setCosts(promptCost, completionCost,
                total(totalCost, promptCost, completionCost, (one, other) -> one.add(other).min(MAX_COST)));
        return result;
    }

    private void setTokens(@Nullable Long prompt, @Nullable Long completion, @Nullable Long total) {
        promptTokens = prompt;
        completionTokens = completion;
        totalTokens = total;
    }

    private void setCosts(@Nullable BigDecimal prompt, @Nullable BigDecimal completion, @Nullable BigDecimal total) {
        promptCost = prompt;
        completionCost = completion;
        totalCost = total;
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
