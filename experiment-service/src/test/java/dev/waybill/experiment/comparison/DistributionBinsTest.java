package dev.waybill.experiment.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.common.api.experiment.ScoreDistribution;
import dev.waybill.common.api.experiment.ScoreDistribution.Range;

class DistributionBinsTest {

    @ParameterizedTest
    @CsvSource({ "1, 20, 0.05", "2, 20, 0.1", "3, 20, 0.2", "1, 10, 0.1", "100, 7, 20", "0.3, 100, 0.005", "1e150, 20, 5e148",
            "3e-300, 20, 2e-301", "20, 20, 1", "20.0001, 20, 2" })
    void widthIsOneTwoOrFiveTimesAPowerOfTen(double length, int bins, BigDecimal expected) {
        assertThat(DistributionBins.width(length, bins)).isEqualByComparingTo(expected);
    }

    @Test
    void edgesAreMultiplesOfTheWidthAroundAllValues() {
        assertThat(DistributionBins.edges(0, 0.3, new BigDecimal("0.1"))).containsExactly(0.0, 0.1, 0.2, 0.3, 0.4);
        assertThat(DistributionBins.edges(-0.25, 0.05, new BigDecimal("0.1"))).containsExactly(-0.3, -0.2, -0.1, 0.0, 0.1);
        assertThat(DistributionBins.edges(1e9, 1e9 + 1, new BigDecimal("0.5"))).containsExactly(1e9, 1e9 + 0.5, 1e9 + 1,
                1e9 + 1.5);
    }

    @Test
    void differencesHaveContiguousBinsAroundZero() {
        // Given
        DistributionBins bins = bins(new DistributionBins.Extent(10, -0.3, 0.1, 0, 1), 4);
        bins.addDifferences(-1, 4, 2);
        bins.addDifferences(0, 1, 5);
        bins.addDifferences(1, 2, 3);

        // Then
        assertThat(bins.differenceEdges()).containsExactly(0.0, 0.1, 0.2, 0.3, 0.4);
        assertThat(bins.toDistribution().differences()).containsExactly(bin(-0.4, null, null, -0.3, 2),
                bin(-0.3, null, null, -0.2, 0), bin(-0.2, null, null, -0.1, 0), bin(-0.1, null, 0.0, null, 0),
                bin(null, 0.0, null, 0.0, 5), bin(0.0, null, 0.1, null, 0), bin(null, 0.1, 0.2, null, 3));
    }

    @Test
    void equalScoresHaveOneBin() {
        // Given
        DistributionBins bins = bins(new DistributionBins.Extent(3, 0, 0, 0.5, 0.5), 20);
        bins.addDifferences(0, 1, 3);
        bins.addScores(1, 1, 3);

        // When
        ScoreDistribution distribution = bins.toDistribution();

        // Then
        assertThat(distribution.differences()).containsExactly(bin(null, 0.0, null, 0.0, 3));
        Range same = new Range(null, 0.5, null, 0.5);
        assertThat(distribution.scores()).containsExactly(new ScoreDistribution.Cell(same, same, 3));
    }

    @Test
    void noPairsHaveNoBins() {
        ScoreDistribution distribution = bins(new DistributionBins.Extent(0, 0, 0, 0, 0), 20).toDistribution();

        assertThat(distribution.n()).isZero();
        assertThat(distribution.differences()).isEmpty();
        assertThat(distribution.scores()).isEmpty();
    }

    private static DistributionBins bins(DistributionBins.Extent extent, int count) {
        return DistributionBins.of(new DistributionQuery("k", UUID.randomUUID(), UUID.randomUUID(), count), extent);
    }

    private static ScoreDistribution.Bin bin(Double gt, Double gte, Double lt, Double lte, long count) {
        return new ScoreDistribution.Bin(new Range(gt, gte, lt, lte), count);
    }
}
