package dev.waybill.experiment.comparison;

import java.util.Arrays;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.core.source64.XoRoShiRo128PlusPlus;
import org.apache.commons.rng.simple.RandomSource;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Intervals of averages by drawing again from what was seen. The seed is fixed: the same scores give the same interval whenever
 * and wherever it is asked for. One for each comparison, because all of its drawing together is bounded.
 */
// The generator is made by reflection.
@RegisterForReflection(targets = XoRoShiRo128PlusPlus.class)
public final class BootstrapSampler {

    private static final long SEED = 0x5eed_0f_7a1e5L;
    private static final int RESAMPLES = 2_000;

    /** About a second of one core: a hundred keys with as many pairs as are resampled at all. */
    private static final long MOST_DRAWS = 400_000_000;

    private long drawsLeft = MOST_DRAWS;

    /** Whether so many values can be resampled within what is left to draw. */
    boolean canResample(int values) {
        return drawsLeft >= (long) RESAMPLES * values;
    }

    /** Where the values' average lies: the middle of the averages of resamples. */
    ConfidenceInterval mean(double[] values, double confidence) {
        drawsLeft -= (long) RESAMPLES * values.length;
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
        return new ConfidenceInterval(quantile(means, (1 - confidence) / 2), quantile(means, (1 + confidence) / 2));
    }

    private static double quantile(double[] sorted, double p) {
        double position = p * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
