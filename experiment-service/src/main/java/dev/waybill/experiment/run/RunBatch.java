package dev.waybill.experiment.run;

import java.util.List;

/**
 * Runs that are stored in one transaction.
 *
 * @param posts new runs
 * @param patches changes of runs, in the order in which they apply
 */
public record RunBatch(List<RunFields> posts, List<RunFields> patches) {
}
