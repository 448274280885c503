package dev.waybill.experiment.summary;

import java.nio.ByteBuffer;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Mergeable distribution of numbers: values and how often each occurs. A large one rounds its values to steps of a geometric
 * series, so that each percentile is within one percent of the exact one.
 */
final class Distribution {

    /** Ratio of adjacent steps: the middle of a step differs from each of its values by less than one percent. */
    static final double STEP = 1.02;
    /** A larger number of different values is rounded; a small distribution is exact. */
    static final int MAX_EXACT_VALUES = 4_096;

    private static final int PAIR_BYTES = Double.BYTES + Integer.BYTES;
    private static final double LOG_STEP = Math.log(STEP);

    // The values in ascending order, and their counts.
    private double[] values = new double[0];
    private long[] counts = new long[0];
    private int size;
    private long total;
    private boolean rounded;

    /** Adds pairs of a value (float8) and a count (int4), in ascending order of the values. */
    void add(byte @Nullable [] pairs) {
        if (pairs != null && pairs.length > 0) {
            ByteBuffer buffer = ByteBuffer.wrap(pairs);
            double[] moreValues = new double[pairs.length / PAIR_BYTES];
            long[] moreCounts = new long[moreValues.length];
            for (int i = 0; i < moreValues.length; i++) {
                double value = buffer.getDouble();
                moreValues[i] = rounded ? round(value) : value;
                moreCounts[i] = buffer.getInt();
                total += moreCounts[i];
            }
            merge(moreValues, moreCounts, moreValues.length);
        }
    }

    /** Adds the values of another distribution. */
    void add(Distribution other) {
        if (other.rounded && !rounded) {
            round();
        }
        total += other.total;
        double[] more = rounded && !other.rounded ? Arrays.stream(other.values).map(Distribution::round).toArray()
                : other.values;
        merge(more, other.counts, other.size);
    }

    private void merge(double[] moreValues, long[] moreCounts, int moreSize) {
        double[] mergedValues = new double[size + moreSize];
        long[] mergedCounts = new long[size + moreSize];
        int merged = 0;
        int mine = 0;
        int more = 0;
        while (mine < size || more < moreSize) {
            boolean takeMine = more == moreSize || mine < size && values[mine] <= moreValues[more];
            double value = takeMine ? values[mine] : moreValues[more];
            long count = takeMine ? counts[mine++] : moreCounts[more++];
            if (merged > 0 && mergedValues[merged - 1] == value) {
                mergedCounts[merged - 1] += count;
            } else {
                mergedValues[merged] = value;
                mergedCounts[merged++] = count;
            }
        }
        values = mergedValues;
        counts = mergedCounts;
        size = merged;
        if (!rounded && size > MAX_EXACT_VALUES) {
            round();
        }
    }

    // The order of the values remains.
    private void round() {
        int merged = 0;
        for (int i = 0; i < size; i++) {
            double value = round(values[i]);
            if (merged > 0 && values[merged - 1] == value) {
                counts[merged - 1] += counts[i];
            } else {
                values[merged] = value;
                counts[merged++] = counts[i];
            }
        }
        size = merged;
        rounded = true;
    }

    /** Returns the pairs of values and counts, rounded if there are more than {@code maxExact}; null without values. */
    byte @Nullable [] toBytes(int maxExact) {
        if (size > maxExact && !rounded) {
            round();
        }
        ByteBuffer pairs = ByteBuffer.allocate(pairs() * PAIR_BYTES);
        for (int i = 0; i < size; i++) {
            for (long rest = counts[i]; rest > 0; rest -= Integer.MAX_VALUE) {
                pairs.putDouble(values[i]).putInt((int) Math.min(rest, Integer.MAX_VALUE));
            }
        }
        return size == 0 ? null : pairs.array();
    }

    private int pairs() {
        int pairs = 0;
        for (int i = 0; i < size; i++) {
            pairs += (int) Math.ceilDiv(counts[i], Integer.MAX_VALUE);
        }
        return pairs;
    }

    /** Returns the percentile as PostgreSQL's percentile_cont interpolates it; null without values. */
    @Nullable
    Double percentile(double fraction) {
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
        for (int i = 0; i < size; i++) {
            following += counts[i];
            if (rank < following) {
                return values[i];
            }
        }
        return values[size - 1];
    }

    /** Returns the middle of the value's step. The steps equal those of {@link SummaryStatement}. */
    static double round(double value) {
        return value == 0 ? 0
                : Math.signum(value) * 2 * Math.pow(STEP, Math.ceil(Math.log(Math.abs(value)) / LOG_STEP)) / (1 + STEP);
    }
}
