package dev.waybill.experiment.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleSizeTest {

    @ParameterizedTest
    @CsvSource({ "20, 0.5, 1, 20, 32", "20, -0.5, 1, 20, 32", "10, 0.1, 1, 10, 785", "300, 0.1, 0.6, 100, 301",
            "40, 0.02, 0.001, 2, 120", "3, 1, 0, 3, 6" })
    void sizeFollowsFromDifferenceAndSpread(int n, double mean, double stdev, int changes, long expected) {
        assertThat(SampleSize.of(new PairedDifferences(n, mean, stdev, null), changes)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({ "1, 0.5, 1, 1", "20, 0, 1, 20", "20, 0, 0, 0", "20, 1e-9, 1, 20" })
    void sizeIsUnknownWithoutADifference(int n, double mean, double stdev, int changes) {
        assertThat(SampleSize.of(new PairedDifferences(n, mean, n == 1 ? null : stdev, null), changes)).isNull();
    }

    @Test
    void fourOfFiveExperimentsOfThisSizeHaveAVerdict() {
        // Given
        Random random = new Random(7);
        int needed = Math.toIntExact(SampleSize.of(new PairedDifferences(20, 0.4, 1.0, null), 20));
        int experiments = 400;

        // When
        int decided = 0;
        for (int i = 0; i < experiments; i++) {
            double[] values = random.doubles(needed).map(ignored -> 0.4 + random.nextGaussian()).toArray();
            PairedDifferences differences = differences(values);
            PairedDifferences.ConfidenceInterval interval = differences.interval(0.95, new BootstrapSampler());
            decided += PairedDifferences.Significance.isSignificant(interval, differences.pValue()) ? 1 : 0;
        }

        // Then
        assertThat((double) decided / experiments).isBetween(0.72, 0.88);
    }

    private static PairedDifferences differences(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
        return new PairedDifferences(values.length, mean, Math.sqrt(squares / (values.length - 1)), values);
    }
}
