package dev.waybill.experiment.summary;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

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

    private static final int INITIAL_CAPACITY = 64;
    private static final double LOG_STEP = Math.log(STEP);

    private double[] values = new double[INITIAL_CAPACITY];
    private long[] counts = new long[INITIAL_CAPACITY];
    private int size;
    private int limit = MAX_EXACT_VALUES;
    private boolean rounded;

    /** Adds the pairs of a value (float8) and a count (int4). */
    void add(byte @Nullable [] pairs) {
        if (pairs == null) {
            return;
        }
        ByteBuffer buffer = ByteBuffer.wrap(pairs);
        while (buffer.hasRemaining()) {
            add(buffer.getDouble(), buffer.getInt());
        }
    }

    /** Adds all values of another distribution. */
    void add(Distribution other) {
        for (int i = 0; i < other.size; i++) {
            add(other.values[i], other.counts[i]);
        }
    }

    void add(double value, long count) {
        if (size == limit) {
            compact();
        }
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
            counts = Arrays.copyOf(counts, 2 * size);
        }
        values[size] = rounded ? round(value) : value;
        counts[size++] = count;
    }

    /** Returns the percentile as PostgreSQL's percentile_cont interpolates it; null without values. */
    public @Nullable Double percentile(double fraction) {
        if (size == 0) {
            return null;
        }
        merge();
        double position = fraction * (Arrays.stream(counts, 0, size).sum() - 1);
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

    // Rounds only if merging equal values does not help. The limit grows with the values that remain: adding stays linear.
    private void compact() {
        merge();
        if (!rounded && size > MAX_EXACT_VALUES / 2) {
            rounded = true;
            Arrays.setAll(values, i -> i < size ? round(values[i]) : 0);
            merge();
        }
        limit = Math.max(MAX_EXACT_VALUES, 2 * size);
    }

    private void merge() {
        int[] order = IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> values[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] mergedValues = new double[values.length];
        long[] mergedCounts = new long[values.length];
        int merged = 0;
        for (int i : order) {
            if (merged > 0 && mergedValues[merged - 1] == values[i]) {
                mergedCounts[merged - 1] += counts[i];
            } else {
                mergedValues[merged] = values[i];
                mergedCounts[merged++] = counts[i];
            }
        }
        values = mergedValues;
        counts = mergedCounts;
        size = merged;
    }

    /** Returns the middle of the value's step. The steps equal those of {@link SummaryStatement}. */
    static double round(double value) {
        return value == 0 ? 0
                : Math.signum(value) * 2 * Math.pow(STEP, Math.ceil(Math.log(Math.abs(value)) / LOG_STEP)) / (1 + STEP);
    }
}
