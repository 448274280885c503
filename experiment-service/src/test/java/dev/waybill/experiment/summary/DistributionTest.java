package dev.waybill.experiment.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;

class DistributionTest {

    private static final double[] FRACTIONS = { 0, 0.01, 0.5, 0.9, 0.99, 1 };

    private final Random random = new Random(20261129);

    @Test
    void hasNoPercentilesWithoutValues() {
        assertThat(new Distribution().percentile(0.5)).isNull();
    }

    @Test
    void percentilesOfFewValuesAreExact() {
        // Given
        double[] values = random.doubles(1_000, -5, 5).sorted().toArray();

        // When
        Distribution distribution = split(values, false);

        // Then
        for (double fraction : FRACTIONS) {
            assertThat(distribution.percentile(fraction)).isCloseTo(exact(values, fraction), within(1e-12));
        }
    }

    @Test
    void percentilesOfManyValuesAreWithinOnePercent() {
        for (boolean rounded : new boolean[] { false, true }) {
            // Given
            double[] values = random.doubles(100_000).map(value -> Math.exp(12 * value - 6)).sorted().toArray();

            // When
            Distribution distribution = split(values, rounded);

            // Then
            for (double fraction : FRACTIONS) {
                double exact = exact(values, fraction);
                assertThat(distribution.percentile(fraction)).isCloseTo(exact, within(0.01 * exact));
            }
        }
    }

    @Test
    void mergedDistributionsEqualTheirBytes() {
        // Given
        Distribution first = split(random.doubles(300, -1, 9).sorted().toArray(), false);
        Distribution second = split(random.doubles(9_000, 0, 5).sorted().toArray(), false);

        // When
        Distribution stored = new Distribution();
        stored.add(first.toBytes(1_000));
        stored.add(second.toBytes(1_000));
        first.add(second);

        // Then
        for (double fraction : FRACTIONS) {
            double expected = first.percentile(fraction);
            assertThat(stored.percentile(fraction)).isCloseTo(expected, within(0.02 * Math.abs(expected)));
        }
        assertThat(new Distribution().toBytes(1)).isNull();
    }

    @Test
    void roundingKeepsSignAndZero() {
        assertThat(Distribution.round(0)).isZero();
        for (double value : new double[] { 1e-6, 1, 1.02, 59.999, 1e9 }) {
            assertThat(Distribution.round(value)).isCloseTo(value, within(0.00991 * value));
            assertThat(Distribution.round(-value)).isEqualTo(-Distribution.round(value));
        }
    }

    // Merges distributions of different sizes, as hours with few and with many runs.
    private Distribution split(double[] values, boolean rounded) {
        Distribution merged = new Distribution();
        int done = 0;
        while (done < values.length) {
            int end = Math.min(values.length, done + 1 + random.nextInt(values.length / 20));
            ByteBuffer pairs = ByteBuffer.allocate(12 * (end - done));
            for (int i = done; i < end; i++) {
                pairs.putDouble(rounded ? Distribution.round(values[i]) : values[i]).putInt(1);
            }
            merged.add(pairs.array());
            done = end;
        }
        return merged;
    }

    private static double exact(double[] values, double fraction) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        double position = fraction * (sorted.length - 1);
        int below = (int) position;
        return sorted[below] + (position - below) * (sorted[Math.min(below + 1, sorted.length - 1)] - sorted[below]);
    }
}
