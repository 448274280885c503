package dev.waybill.experiment.summary;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Mergeable distribution of numbers: values and how often each occurs. A large one rounds its values to steps of a geometric
 * series, so that each percentile is within one percent of the exact one.
 */
public final class Distribution {

    /** Ratio of adjacent steps: the middle of a step differs from each of its values by less than one percent. */
    static final double STEP = 1.02;
    /** A larger number of different values is rounded; a small distribution is exact. */
    static final int MAX_EXACT_VALUES = 4_096;

    private static final double LOG_STEP = Math.log(STEP);

    private TreeMap<Double, Long> counts = new TreeMap<>();
    private long total;
    private boolean rounded;

    /** Adds the pairs of a value (float8) and a count (int4). */
    void add(byte @Nullable [] pairs) {
        if (pairs != null) {
            ByteBuffer buffer = ByteBuffer.wrap(pairs);
            while (buffer.hasRemaining()) {
                add(buffer.getDouble(), buffer.getInt());
            }
        }
    }

    private void add(double value, long count) {
        counts.merge(rounded ? round(value) : value, count, Long::sum);
        total += count;
        if (!rounded && counts.size() > MAX_EXACT_VALUES) {
            rounded = true;
            TreeMap<Double, Long> steps = new TreeMap<>();
            counts.forEach((exact, times) -> steps.merge(round(exact), times, Long::sum));
            counts = steps;
        }
    }

    /** Returns the percentile as PostgreSQL's percentile_cont interpolates it; null without values. */
    public @Nullable Double percentile(double fraction) {
        if (total == 0) {
            return null;
        }
        double position = fraction * (total - 1);
        long below = (long) Math.floor(position);
        double low = valueAt(below);
        return position == below ? low : low + (position - below) * (valueAt(below + 1) - low);
    }

    private double valueAt(long rank) {
        long following = 0;
        for (Map.Entry<Double, Long> entry : counts.entrySet()) {
            following += entry.getValue();
            if (rank < following) {
                return entry.getKey();
            }
        }
        return counts.lastKey();
    }

    /** Returns the middle of the value's step. The steps equal those of {@link SummaryStatement}. */
    static double round(double value) {
        return value == 0 ? 0
                : Math.signum(value) * 2 * Math.pow(STEP, Math.ceil(Math.log(Math.abs(value)) / LOG_STEP)) / (1 + STEP);
    }
}
