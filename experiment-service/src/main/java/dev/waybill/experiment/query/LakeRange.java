package dev.waybill.experiment.query;

import java.time.Instant;
import java.util.List;

import dev.waybill.experiment.lake.LakeDay;
import dev.waybill.experiment.query.RunCursor.RunKey;

/**
 * A range of start times that one statement searches in the lake.
 *
 * @param days consecutive days, oldest first
 * @param from lower bound, inclusive
 * @param to upper bound, exclusive
 * @param end a key after all runs of the range and before all other runs that follow in page order
 * @param bytes estimated size of its runs in the files
 */
record LakeRange(List<LakeDay> days, Instant from, Instant to, RunKey end, long bytes) {

    LakeRange {
        days = List.copyOf(days);
    }
}
