package dev.waybill.experiment.comparison;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.waybill.common.api.experiment.ScoreDistribution;
import dev.waybill.common.api.experiment.ScoreDistribution.Bin;
import dev.waybill.common.api.experiment.ScoreDistribution.Cell;
import dev.waybill.common.api.experiment.ScoreDistribution.Range;

/**
 * Bins of a distribution. Widths are 1, 2 or 5 times a power of ten and edges are multiples of the width, so zero is an edge.
 * PostgreSQL counts with {@code width_bucket} in the same edges: bucket 1 begins at the first edge.
 */
final class DistributionBins {

    private static final int SCORE_BINS = 40;
    private static final int[] FACTORS = { 1, 2, 5, 10 };
    /** Scores within this relative distance have one bin: smaller widths are below the precision of a double. */
    private static final double MIN_SPREAD = 1e-9;

    private final DistributionQuery query;
    private final Extent extent;
    /** Edges of the sizes of differences; the bins of negative differences mirror those of positive ones. */
    private final Double[] differenceEdges;
    private final Double[] scoreEdges;
    private final Map<Integer, Long> differences = new TreeMap<>();
    private final List<Cell> scores = new ArrayList<>();

    private DistributionBins(DistributionQuery query, Extent extent, Double[] differenceEdges, Double[] scoreEdges) {
        this.query = query;
        this.extent = extent;
        this.differenceEdges = differenceEdges;
        this.scoreEdges = scoreEdges;
    }

    static DistributionBins of(DistributionQuery query, Extent extent) {
        double low = Math.min(extent.minDifference(), 0);
        double high = Math.max(extent.maxDifference(), 0);
        Double[] differences = low == high ? new Double[] { 0.0 }
                : edges(0, Math.max(-low, high), width(high - low, query.bins()));
        double spread = extent.maxScore() - extent.minScore();
        Double[] scores = spread <= MIN_SPREAD * Math.max(Math.abs(extent.minScore()), Math.abs(extent.maxScore()))
                ? new Double[] { extent.minScore() }
                : edges(extent.minScore(), extent.maxScore(), width(spread, SCORE_BINS));
        return new DistributionBins(query, extent, differences, scores);
    }

    /** Returns the smallest width with which {@code bins} bins cover the length. */
    static BigDecimal width(double length, int bins) {
        BigDecimal least = new BigDecimal(length).divide(BigDecimal.valueOf(bins), MathContext.DECIMAL64);
        BigDecimal power = BigDecimal.ONE.scaleByPowerOfTen(least.precision() - least.scale() - 1);
        for (int factor : FACTORS) {
            BigDecimal width = power.multiply(BigDecimal.valueOf(factor));
            if (width.compareTo(least) >= 0) {
                return width;
            }
        }
        throw new IllegalStateException(least + " has more digits than " + power);
    }

    /** Returns the multiples of the width from the last one up to {@code low} to the first one above {@code high}. */
    static Double[] edges(double low, double high, BigDecimal width) {
        List<Double> edges = new ArrayList<>();
        BigDecimal edge = new BigDecimal(low).divide(width, 0, RoundingMode.FLOOR).multiply(width);
        do {
            edges.add(edge.doubleValue());
            edge = edge.add(width);
        } while (edges.getLast() <= high);
        return edges.toArray(Double[]::new);
    }

    Double[] differenceEdges() {
        return differenceEdges.clone();
    }

    Double[] scoreEdges() {
        return scoreEdges.clone();
    }

    /** Adds differences with this sign whose size is in the bucket. */
    void addDifferences(int sign, int bucket, long count) {
        differences.put(sign * bucket, count);
    }

    /** Adds examples with scores in these buckets. */
    void addScores(int baselineBucket, int bucket, long count) {
        scores.add(new Cell(scoreRange(baselineBucket), scoreRange(bucket), count));
    }

    ScoreDistribution toDistribution() {
        List<Bin> bins = new ArrayList<>();
        if (!differences.isEmpty()) {
            int last = differences.keySet().stream().max(Integer::compare).orElseThrow();
            for (int i = Math.min(differences.keySet().iterator().next(), 0); i <= Math.max(last, 0); i++) {
                bins.add(new Bin(differenceRange(i), differences.getOrDefault(i, 0L)));
            }
        }
        return new ScoreDistribution(query.key(), query.experiment(), extent.n(), bins, List.copyOf(scores));
    }

    private Range differenceRange(int bucket) {
        if (bucket == 0) {
            return new Range(null, 0.0, null, 0.0);
        }
        double near = differenceEdges[Math.abs(bucket) - 1];
        double far = differenceEdges[Math.abs(bucket)];
        if (bucket > 0) {
            return near == 0 ? new Range(0.0, null, far, null) : new Range(null, near, far, null);
        }
        return near == 0 ? new Range(-far, null, 0.0, null) : new Range(-far, null, null, -near);
    }

    private Range scoreRange(int bucket) {
        return scoreEdges.length == 1 ? new Range(null, extent.minScore(), null, extent.maxScore())
                : new Range(null, scoreEdges[bucket - 1], scoreEdges[bucket], null);
    }

    /**
     * Number of pairs, and the smallest and largest values; 0 without pairs.
     *
     * @param n number of examples with a score in both experiments
     */
    record Extent(long n, double minDifference, double maxDifference, double minScore, double maxScore) {
    }
}
