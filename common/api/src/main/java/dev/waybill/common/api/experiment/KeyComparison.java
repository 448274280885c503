package dev.waybill.common.api.experiment;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One feedback key of an experiment compared with the baseline. An example with several runs counts once, with the average of
 * its scores; examples without a score are ignored.
 *
 * @param n number of examples with a score in this experiment
 * @param stdev population standard deviation
 * @param delta average difference from the baseline over the examples with a score in both
 * @param interval lower and upper bound of the difference
 * @param pAdjusted {@code pValue} after Holm's correction over the keys of the experiment
 * @param nNeeded estimated number of examples for a verdict; null if there is one, or if no number can be estimated
 */
public record KeyComparison(
        @Schema(description = "Number of examples with a score in this experiment.") long n,
        @Nullable Double avg,
        @Schema(description = "Population standard deviation.") @Nullable Double stdev,
        @Schema(description = "Average difference from the baseline over the examples with a score in both.") @Nullable Double delta,
        long better,
        long worse,
        long same,
        @Schema(description = "Number of examples with a score in only one of the two.") long missing,
        @Schema(description = "The 95 % confidence interval of the difference: lower and upper bound.", examples = "[-0.05, 0.15]") @Nullable List<Double> interval,
        @Schema(description = "p-value of a paired test: the probability of such differences if there is no real one.") @Nullable Double pValue,
        @Schema(description = "p_value after Holm's correction over the compared keys of this experiment: below 0.05, a difference remains significant although several keys were tested.") @Nullable Double pAdjusted,
        @Schema(description = "better, worse, or that the number of pairs is too small to decide. Uses p_value, not p_adjusted.", examples = "cannot tell at n = 40") @Nullable String verdict,
        @Schema(description = "Estimated number of examples with a score in both that a verdict needs, at the observed average and spread of the differences: with 80 % probability it is better or worse then. Null with such a verdict, and if no number can be estimated.", examples = "310") @Nullable Long nNeeded,
        boolean higherIsBetter) {

    /** Returns a copy with the adjusted p-value. */
    public KeyComparison withPAdjusted(@Nullable Double adjusted) {
        return new KeyComparison(n, avg, stdev, delta, better, worse, same, missing, interval, pValue, adjusted, verdict,
                nNeeded,
                higherIsBetter);
    }
}
