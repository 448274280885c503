package dev.waybill.experiment.lake;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.common.lake.TextIndex.RowRange;
import dev.waybill.common.lake.TextIndex.SelectedRows;

/**
 * A file and the rows in it to search.
 *
 * @param ranges in ascending order; empty for all rows
 */
record FileRows(Path path, List<RowRange> ranges) {

    // DuckDB evaluates all ranges for each row that it does not skip.
    private static final int MAX_RANGES = 32;
    // DuckDB needs as long to skip the row groups of a file as to evaluate its row numbers six times.
    private static final int MAX_SPANS = 4;
    private static final long ROWS_OF_GROUP = 8_192;

    FileRows {
        ranges = List.copyOf(ranges);
    }

    /** Returns all rows of a file. */
    static FileRows all(Path path) {
        return new FileRows(path, List.of());
    }

    /** Returns at least the selected rows in few ranges; all rows, if so many are selected that ranges skip little. */
    static SelectedRows searched(SelectedRows selected) {
        List<RowRange> ranges = selected.ranges();
        for (long gap = 1; ranges.size() > MAX_RANGES; gap *= 2) {
            ranges = joined(ranges, gap);
        }
        SelectedRows joined = new SelectedRows(ranges, selected.rows());
        return joined.share() <= 0.5 ? joined : new SelectedRows(List.of(new RowRange(0, selected.rows())), selected.rows());
    }

    /** Returns the ranges in a few groups of neighbours, so that DuckDB skips the rows between the groups. */
    List<List<RowRange>> groups() {
        List<RowRange> spans = joined(ranges, ROWS_OF_GROUP);
        for (long gap = 2 * ROWS_OF_GROUP; spans.size() > MAX_SPANS; gap *= 2) {
            spans = joined(spans, gap);
        }
        return spans.stream()
                .map(span -> ranges.stream().filter(range -> range.first() >= span.first() && range.end() <= span.end())
                        .toList())
                .toList();
    }

    private static List<RowRange> joined(List<RowRange> ranges, long maxGap) {
        List<RowRange> joined = new ArrayList<>();
        for (RowRange range : ranges) {
            if (!joined.isEmpty() && range.first() - joined.getLast().end() <= maxGap) {
                joined.add(new RowRange(joined.removeLast().first(), range.end()));
            } else {
                joined.add(range);
            }
        }
        return joined;
    }
}
