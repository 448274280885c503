package dev.waybill.export.preview;

import java.util.List;
import java.util.Optional;

import dev.waybill.export.preview.RangeStatistics.MeasuredGroup;
import dev.waybill.export.preview.SampleCollector.SizeClassSample;

/**
 * The estimated size of an export's files in bytes.
 *
 * @param low the lower end of the likely range
 * @param high the upper end of the likely range
 */
record ByteEstimate(long bytes, long low, long high) {

    /** The relative error that remains with any number of blocks, and the error that one block adds. */
    private static final double MIN_RELATIVE_ERROR = 0.2;
    private static final double BLOCK_RELATIVE_ERROR = 0.6;

    static ByteEstimate exactly(long bytes) {
        return new ByteEstimate(bytes, bytes, bytes);
    }

    /**
     * Extrapolates the sizes of samples to the measurements of the whole range.
     *
     * @param days the number of days with runs
     * @param isCompressed whether pages are compressed; the stored size of texts is then the best predictor
     * @param dictionaryBytes the maximum size of one dictionary
     */
    static Optional<ByteEstimate> of(List<MeasuredGroup> measured, List<SizeClassSample> samples, double days,
            boolean isCompressed,
            double dictionaryBytes) {
        if (samples.isEmpty()) {
            return Optional.empty();
        }
        double[] sums = new double[3];
        for (SizeClass sizeClass : SizeClass.values()) {
            double rows = 0;
            double bytes = 0;
            double stored = 0;
            for (MeasuredGroup group : measured) {
                if (group.sizeClass() == sizeClass) {
                    rows += group.weight() * group.rows();
                    bytes += group.weight() * group.bytes();
                    stored += group.weight() * group.storedBytes();
                }
            }
            if (rows > 0) {
                add(sums, nearest(sizeClass, samples), sizeClass, new Totals(rows, bytes, stored), days, isCompressed,
                        dictionaryBytes);
            }
        }
        double ends = days * samples.stream().mapToLong(SizeClassSample::fileBytes).min().orElse(0);
        return Optional
                .of(new ByteEstimate(Math.round(sums[0] + ends), Math.round(sums[1] + ends), Math.round(sums[2] + ends)));
    }

    private static void add(double[] sums, SizeClassSample sample, SizeClass sizeClass, Totals totals, double days,
            boolean isCompressed, double dictionaryBytes) {
        RepetitionStats repetition = sample.repetition();
        boolean byStored = isCompressed && sample.storedBytes() > 0;
        double sampled = byStored ? sample.storedBytes() : repetition.bytes();
        double text = sampled == 0 ? 0 : (byStored ? totals.stored() : totals.bytes()) * sample.textBytes() / sampled;
        double whole = text / repetition.writtenShare();
        double dayBytes = totals.bytes() / days;
        double other = totals.rows() * sample.otherBytes() / sample.rows();
        double error = MIN_RELATIVE_ERROR
                + BLOCK_RELATIVE_ERROR / Math.sqrt(sizeClass == sample.sizeClass() ? sample.blocks() : 1);
        double middle = other + whole * repetition.dayShare(dayBytes, dictionaryBytes, repetition.repeats());
        double most = other + whole * repetition.dayShare(dayBytes, dictionaryBytes, repetition.minRepeats());
        double least = other + whole * repetition.dayShare(dayBytes, dictionaryBytes, repetition.maxRepeats());
        sums[0] += middle;
        sums[1] += Math.min(middle, least) / (1 + error);
        sums[2] += Math.max(middle, most) * (1 + error);
    }

    // A size class without samples uses the samples of the nearest class.
    private static SizeClassSample nearest(SizeClass sizeClass, List<SizeClassSample> samples) {
        SizeClassSample nearest = samples.getFirst();
        for (SizeClassSample sample : samples) {
            if (distance(sample, sizeClass) < distance(nearest, sizeClass)) {
                nearest = sample;
            }
        }
        return nearest;
    }

    private static int distance(SizeClassSample sample, SizeClass sizeClass) {
        return Math.abs(sample.sizeClass().ordinal() - sizeClass.ordinal());
    }

    /** The totals of a size class over the whole range. */
    private record Totals(double rows, double bytes, double stored) {
    }
}
