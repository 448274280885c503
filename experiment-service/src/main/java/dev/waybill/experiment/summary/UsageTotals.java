package dev.waybill.experiment.summary;

import java.math.BigDecimal;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/** Sums of tokens and costs, and the number of values in each: a sum without values is null. */
final class UsageTotals {

    /** Total, prompt and completion tokens, then the costs in the same order. */
    static final int VALUES = 6;
    private static final int TOKENS = 3;

    private final BigDecimal[] sums = new BigDecimal[VALUES];
    private final long[] counts = new long[VALUES];

    void add(int index, @Nullable BigDecimal sum, long count) {
        if (sum != null) {
            sums[index] = get(index).add(sum);
            counts[index] += count;
        }
    }

    /** Subtracts a run's tokens, costs or both. */
    void subtract(OpenRun run, boolean tokens, boolean costs) {
        for (int i = tokens ? 0 : TOKENS; i < (costs ? VALUES : TOKENS); i++) {
            BigDecimal value = run.usage(i);
            if (value != null) {
                sums[i] = get(i).subtract(value);
                counts[i]--;
            }
        }
    }

    /** Returns the sums as text; null for those without values. */
    @Nullable
    String[] sums() {
        @Nullable
        String[] texts = new String[VALUES];
        for (int i = 0; i < VALUES; i++) {
            BigDecimal sum = sum(i);
            texts[i] = sum == null ? null : sum.toPlainString();
        }
        return texts;
    }

    /** Returns the number of values in each sum. */
    Long[] counts() {
        return Arrays.stream(counts).boxed().toArray(Long[]::new);
    }

    @Nullable
    Long tokens(int index) {
        BigDecimal sum = sum(index);
        return sum == null ? null : sum.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
    }

    @Nullable
    BigDecimal cost(int index) {
        return sum(TOKENS + index);
    }

    private @Nullable BigDecimal sum(int index) {
        return counts[index] == 0 ? null : sums[index];
    }

    private BigDecimal get(int index) {
        return sums[index] == null ? BigDecimal.ZERO : sums[index];
    }
}
