package dev.waybill.experiment.comparison;

import java.util.Arrays;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.core.source64.XoRoShiRo128PlusPlus;
import org.apache.commons.rng.simple.RandomSource;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Computes bootstrap confidence intervals of means. The seed is fixed, so the same scores always give the same
 * interval. Each comparison has its own sampler, because the number of draws per comparison is limited.
 */
// The library creates the generator by reflection.
@RegisterForReflection(targets = XoRoShiRo128PlusPlus.class)
public final class BootstrapSampler {

    private static final long SEED = 0x5eed_0f_7a1e5L;
    private static final int RESAMPLES = 2_000;

    /** About one second of one core: 100 feedback keys with {@link PairedDifferences#MAX_VALUES} pairs each. */
    private static final long MAX_DRAWS = 400_000_000;

    private long remainingDraws = MAX_DRAWS;

    /** Returns whether the remaining draws suffice to resample this number of values. */
    boolean canResample(int values) {
        return remainingDraws >= (long) RESAMPLES * values;
    }

    /** Returns the percentile bootstrap interval of the mean. */
    PairedDifferences.ConfidenceInterval meanInterval(double[] values, double confidence) {
        remainingDraws -= (long) RESAMPLES * values.length;
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);
        double[] means = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            double sum = 0;
            for (int j = 0; j < values.length; j++) {
                sum += values[random.nextInt(values.length)];
            }
            means[i] = sum / values.length;
        }
        Arrays.sort(means);
        return new PairedDifferences.ConfidenceInterval(quantile(means, (1 - confidence) / 2),
                quantile(means, (1 + confidence) / 2));
    }

    private static double quantile(double[] sorted, double p) {
        double position = p * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
