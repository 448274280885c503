package dev.waybill.export.preview;

import java.util.List;

/** How many runs an export would have. */
record RowCount(long rows, boolean isExact) {

    static final RowCount NONE = new RowCount(0, true);

    /** All runs of the slices, in each of which at most {@code limit} were counted. */
    static RowCount ofAll(List<SliceCount> slices, long limit) {
        return new RowCount(Math.round(slices.stream().mapToDouble(slice -> slice.allRows(limit)).sum()),
                slices.stream().allMatch(slice -> slice.rows() < limit));
    }

    /** The runs that the filter holds of; it was asked of at most {@code filterLimit} in each slice. */
    static RowCount ofMatching(List<SliceCount> slices, long limit, long filterLimit) {
        if (slices.stream().allMatch(slice -> slice.filtered() < filterLimit)) {
            return new RowCount(slices.stream().mapToLong(SliceCount::matching).sum(), true);
        }
        return new RowCount(Math.round(slices.stream().mapToDouble(slice -> slice.matchingRows(limit)).sum()), false);
    }
}
