package dev.waybill.common.api.experiment;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One feedback key of an experiment, against the baseline. An example that was run several times counts once, with the average
 * of
 * its scores; what has no score has no part in it.
 *
 * @param n examples with a score in this experiment
 * @param stdev of the population
 * @param delta the average difference to the baseline, over the examples that have a score in both
 * @param interval where the difference lies, lowest and highest
 */
public record KeyComparison(
        @Schema(description = "Examples with a score in this experiment.") long n,
        @Nullable Double avg,
        @Schema(description = "Of the population.") @Nullable Double stdev,
        @Schema(description = "The average difference to the baseline, over the examples that have a score in both.") @Nullable Double delta,
        long better,
        long worse,
        long same,
        @Schema(description = "Examples that have a score in only one of the two.") long missing,
        @Schema(description = "The 95 % interval of the difference: lowest and highest.", examples = "[-0.05, 0.15]") @Nullable List<Double> interval,
        @Schema(description = "Of a paired test: how likely differences like these are where there is none.") @Nullable Double pValue,
        @Schema(description = "better, worse, or that it cannot be told from so many pairs.", examples = "cannot tell at n = 40") @Nullable String verdict,
        boolean higherIsBetter) {
}
