package dev.waybill.experiment.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the tests and intervals against textbook values and straightforward calculations. */
class PairedDifferencesTest {

    /** Hollander and Wolfe, table 3.1: Hamilton depression scale before and after a first therapy. */
    private static final double[] DEPRESSION = { 1.83 - 0.878, 0.50 - 0.647, 1.62 - 0.598, 2.48 - 2.05, 1.68 - 1.06,
            1.88 - 1.29, 1.55 - 1.06, 3.06 - 3.14, 1.30 - 1.29 };

    /** Student (1908): additional hours of sleep with two drugs. */
    private static final double[] SLEEP = { 1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4 };

    @Test
    void wilcoxonPValueMatchesTheTextbook() {
        assertThat(differences(DEPRESSION).pValue()).isCloseTo(0.0390625, within(1e-12));
    }

    @Test
    void studentsTTestMatchesHisPublishedExample() {
        // Given
        PairedDifferences moments = new PairedDifferences(10, mean(SLEEP), stdev(SLEEP), null);

        // When
        PairedDifferences.ConfidenceInterval interval = moments.interval(0.95, new BootstrapSampler());

        // Then
        assertThat(moments.pValue()).isCloseTo(0.002833, within(5e-7));
        assertThat(interval.low()).isCloseTo(0.7001142, within(5e-8));
        assertThat(interval.high()).isCloseTo(2.4598858, within(5e-8));
    }

    @ParameterizedTest
    @CsvSource({ "8, 2, 0.109375", "9, 1, 0.021484375", "5, 0, 0.0625", "6, 0, 0.03125", "0, 7, 0.015625", "1, 1, 1",
            "0, 0, 1" })
    void differencesOfEqualSizeUseTheSignTest(int up, int down, double expected) {
        // Given
        double[] values = new double[up + down + 3];
        Arrays.fill(values, 0, up, 0.25);
        Arrays.fill(values, up, up + down, -0.25);

        // Then
        assertThat(differences(values).pValue()).isCloseTo(expected, within(1e-12));
    }

    @Test
    void signedRanksWithTiesMatchTheNormalApproximation() {
        // Given
        Random random = new Random(11);
        double[] grades = random.ints(120, -4, 6).asDoubleStream().toArray();

        // Then
        assertThat(differences(grades).pValue()).isCloseTo(wilcoxon(grades), within(1e-6));
    }

    @Test
    void pValueOfFewPairsIsBoundedByTheSignTest() {
        assertThat(differences(1, 1, 1, 1, 2).pValue()).isEqualTo(0.0625);
    }

    @Test
    void bootstrapIntervalOfManyValuesMatchesStudents() {
        // Given
        double[] values = new Random(5).doubles(400, -1, 1.2).toArray();

        // When
        PairedDifferences.ConfidenceInterval bootstrapped = differences(values).interval(0.95, new BootstrapSampler());
        PairedDifferences.ConfidenceInterval calculated = new PairedDifferences(400, mean(values), stdev(values), null)
                .interval(0.95,
                        new BootstrapSampler());

        // Then
        double width = calculated.high() - calculated.low();
        assertThat(bootstrapped.low()).isCloseTo(calculated.low(), within(width / 10));
        assertThat(bootstrapped.high()).isCloseTo(calculated.high(), within(width / 10));
    }

    @Test
    void intervalDoesNotDependOnTheOrderOfDifferences() {
        // Given
        double[] values = { 3, 1, -2, 0.5, 4 };
        double[] others = { 0.5, 4, 1, 3, -2 };

        // Then
        assertThat(differences(values).interval(0.9, new BootstrapSampler()))
                .isEqualTo(differences(others).interval(0.9, new BootstrapSampler()));
    }

    @Test
    void higherConfidenceWidensTheInterval() {
        // Given
        PairedDifferences sleep = differences(SLEEP);

        // When
        PairedDifferences.ConfidenceInterval narrow = sleep.interval(0.8, new BootstrapSampler());
        PairedDifferences.ConfidenceInterval wide = sleep.interval(0.99, new BootstrapSampler());

        // Then
        assertThat(wide.low()).isLessThan(narrow.low());
        assertThat(wide.high()).isGreaterThan(narrow.high());
    }

    @Test
    @Tag("full")
    void fallsBackToStudentsIntervalAfterTheDrawLimit() {
        // Given
        PairedDifferences many = differences(new Random(3).doubles(PairedDifferences.MAX_VALUES).toArray());
        BootstrapSampler bootstrap = new BootstrapSampler();

        // When
        int bootstrapped = 0;
        while (bootstrap.canResample(PairedDifferences.MAX_VALUES)) {
            many.interval(0.95, bootstrap);
            bootstrapped++;
        }

        // Then
        assertThat(bootstrapped).isEqualTo(100);
        assertThat(many.interval(0.95, bootstrap)).isEqualTo(new PairedDifferences(many.n(), many.mean(), many.stdev(), null)
                .interval(0.95, bootstrap));
    }

    @Test
    void fewerThanTwoPairsHaveNoInterval() {
        assertThat(differences(0.5).interval(0.95, new BootstrapSampler())).isNull();
        assertThat(differences(0.5).pValue()).isEqualTo(1);
        assertThat(differences().pValue()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({ "0.1, 0.3, 0.01, true, better", "0.1, 0.3, 0.01, false, worse", "-0.3, -0.1, 0.01, true, worse",
            "-0.3, -0.1, 0.01, false, better", "-0.1, 0.3, 0.01, true, cannot tell at n = 40",
            "0.1, 0.3, 0.06, true, cannot tell at n = 40", "0, 0, 0, true, cannot tell at n = 40" })
    void verdictRequiresIntervalAndPValue(double low, double high, double pValue, boolean higherIsBetter, String expected) {
        // Given
        PairedDifferences differences = new PairedDifferences(40, 0.2, 1.0, null);

        // Then
        assertThat(PairedDifferences.Significance.verdict(differences, new PairedDifferences.ConfidenceInterval(low, high),
                pValue, higherIsBetter))
                .isEqualTo(expected);
    }

    private static PairedDifferences differences(double... values) {
        return new PairedDifferences(values.length, values.length == 0 ? 0 : mean(values),
                values.length < 2 ? null : stdev(values), values);
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double stdev(double[] values) {
        double mean = mean(values);
        return Math.sqrt(Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum() / (values.length - 1));
    }

    // Ranks by counting, variance corrected for ties, continuity correction, and the normal tail by numerical
    // integration.
    private static double wilcoxon(double[] values) {
        double[] changes = Arrays.stream(values).filter(value -> value != 0).toArray();
        double up = 0;
        double ties = 0;
        for (double change : changes) {
            long below = Arrays.stream(changes).filter(other -> Math.abs(other) < Math.abs(change)).count();
            long equal = Arrays.stream(changes).filter(other -> Math.abs(other) == Math.abs(change)).count();
            up += change > 0 ? below + (equal + 1) / 2.0 : 0;
            ties += (double) equal * equal - 1;
        }
        double n = changes.length;
        double variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;
        double z = Math.max(0, Math.abs(up - n * (n + 1) / 4) - 0.5) / Math.sqrt(variance);
        double tail = 0;
        double step = 1e-4;
        for (double x = z + step / 2; x < 12; x += step) {
            tail += Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI) * step;
        }
        return 2 * tail;
    }
}
