package dev.waybill.export.preview;

import java.util.List;

import dev.waybill.export.preview.RunCounter.SliceCount;

/** The number of runs of an export, exact or estimated. */
record RowCount(long rows, boolean isExact) {

    static final RowCount NONE = new RowCount(0, true);

    /** Returns the number of runs of all slices, in each of which at most {@code limit} were counted. */
    static RowCount ofAll(List<SliceCount> slices, long limit) {
        return new RowCount(Math.round(slices.stream().mapToDouble(slice -> slice.allRows(limit)).sum()),
                slices.stream().allMatch(slice -> slice.rows() < limit));
    }

    /** Returns the number of matching runs; the filter was evaluated on at most {@code filterLimit} runs per slice. */
    static RowCount ofMatching(List<SliceCount> slices, long limit, long filterLimit) {
        if (slices.stream().allMatch(slice -> slice.filtered() < filterLimit)) {
            return new RowCount(slices.stream().mapToLong(SliceCount::matching).sum(), true);
        }
        return new RowCount(Math.round(slices.stream().mapToDouble(slice -> slice.matchingRows(limit)).sum()), false);
    }
}
